import DataStoreCore
import Foundation

/// Records as property-list objects: dictionaries of strings, numbers, booleans, dates, data and arrays.
///
/// What the format cannot hold exactly is a dictionary of one entry: `{$string: data}` for text with control characters,
/// `{$date: [seconds, nanoseconds]}` for dates with a fraction or far away, `{$real: "-0.0"}`.
enum PlistCoder {
    /// Why an object is no value of ours.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let stringKey = "$string"
    private static let dateKey = "$date"
    private static let realKey = "$real"

    // MARK: Encoding

    static func object(of record: Record) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: record.map { (PlistName.encoded($0.name), object(of: $0.value)) })
    }

    private static func object(of value: Value) -> Any {
        switch value {
        case .string(let text):
            PlistText.isPlain(text) ? text : [stringKey: Data(text.utf8)]
        case .integer(let number): NSNumber(value: number)
        case .real(let number):
            number == 0 && number.sign == .minus ? [realKey: "-0.0"] : NSNumber(value: number)
        case .bool(let flag): NSNumber(value: flag)
        case .date(let date): object(of: date)
        case .data(let bytes): Data(bytes)
        case .array(let values): values.map { object(of: $0) }
        case .record(let record): object(of: record)
        }
    }

    private static func object(of date: Timestamp) -> Any {
        if date.nanoseconds == 0, plainDates.contains(date.seconds) {
            return Date(timeIntervalSince1970: Double(date.seconds))
        }
        return [dateKey: [NSNumber(value: date.seconds), NSNumber(value: date.nanoseconds)]]
    }

    /// The years 0001 to 9999, which XML property lists can write.
    private static let plainDates: Range<Int64> = -62_135_596_800..<253_402_300_800

    // MARK: Decoding

    static func record(of object: [String: Any]) throws(Failure) -> Record {
        var namedValues: [(String, Value)] = []
        namedValues.reserveCapacity(object.count)
        for (key, member) in object {
            guard let name = PlistName.decoded(key) else { throw Failure(description: "the key \"\(key)\" is no name") }
            do {
                namedValues.append((name, try value(of: member)))
            } catch {
                throw Failure(description: "\(name): \(error.description)")
            }
        }
        do {
            return try Record(namedValues)
        } catch {
            throw Failure(description: error.reason)
        }
    }

    private static func value(of object: Any) throws(Failure) -> Value {
        switch object {
        // Foundation gives numbers and booleans alike as NSNumber.
        case let number as NSNumber: return try value(of: number)
        case let text as String: return .string(text)
        case let data as Data: return .data(Array(data))
        case let date as Date: return .date(try timestamp(of: date))
        case let array as [Any]:
            var values: [Value] = []
            values.reserveCapacity(array.count)
            for member in array { values.append(try value(of: member)) }
            return .array(values)
        case let dictionary as [String: Any]: return try value(of: dictionary)
        default: throw Failure(description: "an object of the type \(type(of: object)) is no value")
        }
    }

    private static func value(of number: NSNumber) throws(Failure) -> Value {
        // The type encoding is the one public way to tell the kinds of number apart: "c" and "B" are booleans here,
        // since no property list has an 8-bit integer, "d" and "f" reals, the others integers.
        switch unsafe UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): return .bool(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            throw Failure(description: "the integer \(number) is beyond 64 bits with a sign")
        default: return .integer(number.int64Value)
        }
    }

    private static func timestamp(of date: Date) throws(Failure) -> Timestamp {
        let interval = date.timeIntervalSince1970
        let seconds = interval.rounded(.down)
        guard let whole = Int64(exactly: seconds),
            let timestamp = Timestamp(
                seconds: whole, nanoseconds: UInt32(min(((interval - seconds) * 1e9).rounded(), 999_999_999)))
        else { throw Failure(description: "the date \(date) is out of range") }
        return timestamp
    }

    private static func value(of dictionary: [String: Any]) throws(Failure) -> Value {
        guard dictionary.count == 1, let (key, member) = dictionary.first else {
            return .record(try record(of: dictionary))
        }
        switch key {
        case stringKey:
            guard let data = member as? Data, let text = String(validating: data, as: UTF8.self) else {
                throw Failure(description: "\(stringKey) has no UTF-8 data")
            }
            return .string(text)
        case realKey:
            guard member as? String == "-0.0" else { throw Failure(description: "\(realKey) is not -0.0") }
            return .real(-0.0)
        case dateKey:
            guard let parts = member as? [NSNumber], parts.count == 2,
                let nanoseconds = UInt32(exactly: parts[1].int64Value),
                let date = Timestamp(seconds: parts[0].int64Value, nanoseconds: nanoseconds)
            else { throw Failure(description: "\(dateKey) is not seconds and nanoseconds") }
            return .date(date)
        default: return .record(try record(of: dictionary))
        }
    }
}
