public import DataStoreCore
import Foundation

/// Entries of a property-list file that is another program's, e.g. of what an app keeps in `UserDefaults`. The file is only
/// read.
public enum PlistEntries {
    /// Reads entries of the dictionary that is the root of a file.
    ///
    /// - Parameters:
    ///   - names: the keys of the entries that are wanted; the others are not looked at.
    ///   - path: the file, an XML or a binary property list.
    /// - Returns: the entries that there are.
    /// - Throws: `DataStoreError`: `inputOutput` with the error number where the file cannot be read; `notAStore` where no
    ///   regular file is there; `corrupted` where it is no property list, its root no dictionary, or an entry that is
    ///   wanted nothing that a record can hold.
    public static func read(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do {
            // Nothing is read of what is no file: it may never end.
            guard try FileSystem.stamp(of: path) != nil else {
                throw DataStoreError(.inputOutput, "there is no such file", errno: ENOENT)
            }
            let entries = try dictionary(Data(contentsOf: URL(filePath: path)))
            var record = Record()
            for name in names { record[name] = try entries[name].map { try value(of: $0, name) } }
            return record
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the entries", path: path)
        } catch {
            throw unreadable(error).adding(operation: "read the entries", path: path)
        }
    }

    private static func dictionary(_ bytes: Data) throws(DataStoreError) -> [String: Any] {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let root: Any
        do {
            // Unsafe is only the pointer for the format, which the call writes to before it returns.
            root = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: &format)
        } catch {
            let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            throw DataStoreError(
                .corrupted, "it is no property list (\(reason ?? error.localizedDescription))", underlying: error)
        }
        // Foundation takes nearly any text, and what is damaged, for the old OpenStep format.
        guard format == .xml || format == .binary else {
            throw DataStoreError(.corrupted, "it is no property list, neither a whole XML nor a whole binary one")
        }
        guard let entries = root as? [String: Any] else {
            throw DataStoreError(.corrupted, "its root is not a dictionary of entries")
        }
        return entries
    }

    /// The value of an object that Foundation has read.
    private static func value(of object: Any, _ name: String) throws(DataStoreError) -> Value {
        func refuse(_ reason: String) -> DataStoreError { DataStoreError(.corrupted, "the entry \(name) \(reason)") }
        switch object {
        // Foundation gives numbers and booleans alike as NSNumber.
        case let number as NSNumber:
            // The type encoding tells them apart: no property list has an integer of 8 bits, so "c" is a boolean, too.
            switch unsafe UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "c"), UInt8(ascii: "B"): return .bool(number.boolValue)
            case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
            case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
                throw refuse("is the integer \(number), beyond 64 bits with a sign")
            default: return .integer(number.int64Value)
            }
        case let text as String: return .string(text)
        case let data as Data: return .data(Array(data))
        case let date as Date:
            let interval = date.timeIntervalSince1970
            let seconds = interval.rounded(.down)
            let nanoseconds = UInt32(min(((interval - seconds) * 1e9).rounded(), 999_999_999))
            guard let whole = Int64(exactly: seconds),
                let timestamp = Timestamp(seconds: whole, nanoseconds: nanoseconds)
            else { throw refuse("is the date \(date), out of range") }
            return .date(timestamp)
        case let array as [Any]:
            var values: [Value] = []
            for member in array { values.append(try value(of: member, name)) }
            return .array(values)
        case let dictionary as [String: Any]:
            var record = Record()
            for (key, member) in dictionary { record[key] = try value(of: member, name) }
            return .record(record)
        default: throw refuse("is of the kind \(type(of: object)), which no record has")
        }
    }

    private static func unreadable(_ error: any Error) -> DataStoreError {
        let nsError = error as NSError
        let posix = [nsError, nsError.userInfo[NSUnderlyingErrorKey] as? NSError]
            .compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        let number: Int32? =
            switch (posix, (error as? CocoaError)?.code) {
            case (let posix?, _): Int32(truncatingIfNeeded: posix.code)
            case (nil, .fileReadNoSuchFile?): ENOENT
            case (nil, .fileReadNoPermission?): EACCES
            default: nil
            }
        // strerror answers with a text that is valid until the next call on this thread; it is copied at once.
        let words = number.map { unsafe String(cString: strerror($0)) } ?? nsError.localizedDescription
        return DataStoreError(.inputOutput, words, errno: number, underlying: error)
    }
}
