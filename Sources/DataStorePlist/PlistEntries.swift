public import DataStoreCore
import DataStoreFiles
import SystemPackage

/// Entries of a property-list file that is another program's, e.g. of what an app keeps in `UserDefaults`. The file is only
/// read.
public enum PlistEntries {
    /// Reads entries of the dictionary that is the root of a file.
    ///
    /// - Parameters:
    ///   - names: the keys of the entries that are wanted; the others are passed over.
    ///   - path: the file, an XML or a binary property list.
    /// - Returns: the entries that there are.
    /// - Throws: `DataStoreError`: `inputOutput` with the error number where the file cannot be read; `notAStore` where no
    ///   regular file is there; `corrupted` where it is no property list, its root no dictionary, or an entry that is
    ///   wanted nothing that a record can hold.
    public static func read(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do throws(DataStoreError) {
            guard let read = try PlistLocation.resolve(path)?.read() else {
                throw DataStoreError(.noSuchFileOrDirectory, "read the file", path: path)
            }
            return try PlistContents.entries(names, of: read.bytes)
        } catch {
            throw error.adding(operation: "read the entries", path: path)
        }
    }
}

extension PlistContents {
    /// Entries of the root of a file, ours or not.
    fileprivate static func entries(_ names: [String], of bytes: [UInt8]) throws(DataStoreError) -> Record {
        let format: PlistDataStore.Format
        do throws(DataStoreError) {
            format = try self.format(of: bytes)
        } catch {
            throw DataStoreError(.corrupted, "it is no property list, \(error.reason)", underlying: error)
        }
        do throws(ParseFailure) {
            switch format {
            case .xml:
                var reader = XMLReader(bytes)
                return try reader.rootEntries(names)
            case .binary: return try BinaryReader(bytes).rootEntries(names)
            }
        } catch {
            let cause = PlistDataStore.ParseError(error, in: bytes, format: format)
            throw DataStoreError(.corrupted, "it is no property list of entries: \(cause)", underlying: cause)
        }
    }
}

extension XMLReader {
    /// Values of the dictionary that is the root.
    fileprivate mutating func rootEntries(_ names: [String]) throws(ParseFailure) -> Record {
        if has("\u{FEFF}") { position = 3 }
        var token = try next()
        let isWrapped = token == .open(.plist, isEmpty: false)
        if isWrapped { token = try next() }
        guard case .open(.dict, let isEmpty) = token else {
            throw failure("its root is not a dictionary", at: tokenStart)
        }
        var record = Record()
        while !isEmpty {
            token = try next()
            if token == .close(.dict) { break }
            guard case .open(.key, let isEmpty) = token else { throw unexpected("a key or the end of a dictionary") }
            let key = isEmpty ? "" : try text(in: .key)
            guard names.contains(key) else {
                try skipValue()
                continue
            }
            do throws(ParseFailure) {
                record[key] = try value(try next(), depth: 0)
            } catch {
                throw failure("the entry \(key): \(error.reason)", at: error.offset)
            }
        }
        if isWrapped { try expect(.close(.plist), "the end of the property list") }
        return record
    }
}

extension BinaryReader {
    /// Values of the dictionary that is the root.
    fileprivate func rootEntries(_ names: [String]) throws(ParseFailure) -> Record {
        let object = try object(root)
        guard object.kind == .dictionary else {
            throw ParseFailure(reason: "its root is not a dictionary", offset: object.start)
        }
        var context = Context(for: self)
        var record = Record()
        for (key, number) in try entries(of: object, &context) where names.contains(key) {
            do throws(ParseFailure) {
                record[key] = try value(number, &context, depth: 0)
            } catch {
                throw ParseFailure(reason: "the entry \(key): \(error.reason)", offset: error.offset)
            }
        }
        return record
    }
}
