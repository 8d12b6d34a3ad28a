/// What encoders and decoders of one value have in common: the position of the value and the state of the call.
class Coder {
    /// The key of the value, or `nil` for a whole record, and for a value that is stored as a single value of another
    /// type.
    private let key: (any CodingKey)?
    /// The coder of the value that contains this one.
    private let parent: Coder?
    let run: CodingSession
    /// The nesting level of the value, which ``CodingSession/maximumLevel`` limits. A type that is stored as a single
    /// value adds a level, too.
    let level: Int

    /// Creates the coder of a whole record.
    init(run: CodingSession) { (key, parent, self.run, level) = (nil, nil, run, 0) }

    /// Creates the coder of a value that another value contains.
    init(_ key: (any CodingKey)?, in parent: Coder) {
        (self.key, self.parent, run, level) = (key, parent, parent.run, parent.level + 1)
    }

    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }

    /// The keys of the value, the outermost first. The array is built only when it is needed, e.g. for an error.
    var codingPath: [any CodingKey] { parent?.path(key) ?? [] }

    /// Returns the keys of a value that this value contains.
    func path(_ key: (any CodingKey)?) -> [any CodingKey] { codingPath + (key.map { [$0] } ?? []) }
}

/// The coding key of an array element, or of a superclass.
enum PathKey: CodingKey {
    case index(Int)
    case name(String)

    static let `super` = PathKey.name("super")

    init?(stringValue: String) { self = .name(stringValue) }

    init?(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }

    var intValue: Int? { if case .index(let index) = self { index } else { nil } }

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
