import DataStoreFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON file that settings are looked for in.
struct ConfigurationFile {
    /// A value of the file; of what is neither a text nor an object it only matters that it is there.
    private enum Member: Decodable {
        case text(String), object([String: Member]), null, other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
                return
            }
            do {
                self = .text(try container.decode(String.self))
            } catch DecodingError.typeMismatch {
                do {
                    self = .object(try container.decode([String: Member].self))
                } catch DecodingError.typeMismatch {
                    self = .other
                }
            }
        }
    }

    /// Where the file is.
    let path: String
    private let members: [String: Member]

    /// Reads a file; nil where it is not there.
    ///
    /// - Parameter path: the file.
    /// - Throws: ``ConfigurationError`` where it cannot be read, or is no JSON object.
    init?(path: String) throws {
        let bytes: [UInt8]
        do {
            guard let contents = try File.contents(of: path, limit: 1 << 20) else { return nil }
            bytes = contents
        } catch {
            throw ConfigurationError(.unreadableFile, "\(path) cannot be read", underlying: error)
        }
        let words =
            "\(path) cannot be used: it must be a JSON object, in it \"store\", \"user\" and \"environment\" as texts"
        let contents: Member
        do {
            contents = try JSONDecoder().decode(Member.self, from: Data(bytes))
        } catch {
            throw ConfigurationError(.invalidFile, words, underlying: error)
        }
        guard case .object(let members) = contents else { throw ConfigurationError(.invalidFile, words) }
        self.path = path
        self.members = members
    }

    /// A text of the file.
    ///
    /// - Parameter name: the names of the members that lead to it, with dots between them.
    /// - Returns: the text; nil where there is none, or null.
    /// - Throws: ``ConfigurationError`` where there is something else.
    func text(_ name: String) throws(ConfigurationError) -> String? {
        var member = Member.object(members)
        var seen: [Substring] = []
        for part in name.split(separator: ".") {
            switch member {
            case .object(let inner):
                guard let next = inner[String(part)] else { return nil }
                member = next
            case .null: return nil
            case .text, .other: throw wrong(seen.joined(separator: "."), "an object")
            }
            seen.append(part)
        }
        switch member {
        case .text(let text): return text
        case .null: return nil
        case .object, .other: throw wrong(name, "a text")
        }
    }

    private func wrong(_ name: String, _ kind: String) -> ConfigurationError {
        ConfigurationError(.invalidFile, "\(path) cannot be used: \"\(name)\" must be \(kind)")
    }
}
