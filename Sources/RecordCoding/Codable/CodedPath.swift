import DataStoreCore

/// The coding path of a coder, as a linked list: the last key and the path before it. The array of keys is built only
/// when it is needed, e.g. for an error.
final class CodedPath: Sendable {
    private let key: any CodingKey
    private let parent: CodedPath?

    init(_ key: any CodingKey, in parent: CodedPath?) {
        self.key = key
        self.parent = parent
    }

    /// Returns all keys of a path, the outermost first.
    static func keys(_ path: CodedPath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = path
        while let here = step {
            keys.append(here.key)
            step = here.parent
        }
        return keys.reversed()
    }

    /// Returns a path as text for messages, e.g. `address.lines[2]`. The text of an empty path is empty.
    static func text(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue.escapingControlCharacters
            }
        }
        return text
    }
}

/// The coding key of an array element, or of a superclass.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let `super` = PathKey(name: "super")

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    private init(name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) { self.init(name: stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }
}
