#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON form of records, as `profile-cli record` reads and writes it. Use it in a tool that shows records of any
/// collection.
///
/// ```swift
/// let record = try RecordJSON.record(parsing: Array(#"{"title":"Kyoto","days":3}"#.utf8))
/// print(RecordJSON.text(.record(record)))
/// ```
///
/// A number with a fraction or an exponent is a real. Any other number is an integer.
///
/// A value that JSON lacks is written as an object with one member:
///
/// - A date is `{"$date": "2026-11-21T17:00:00Z"}`. For a date outside the years 1 to 9999, the value of `$date` is an
///   array of the seconds since 1970 and the nanoseconds.
/// - Data is `{"$data": "base64"}`.
/// - A real that is not finite is `{"$real": "nan"}`, `{"$real": "infinity"}` or `{"$real": "-infinity"}`.
/// - A sealed value is `{"$sealed": true}`, which cannot be read back.
///
/// If the only field of a record has one of these names, another `$` is added to the name, as in `{"$$date": …}`.
public enum RecordJSON {
    static let (dateKey, dataKey, realKey, sealedKey) = ("$date", "$data", "$real", "$sealed")

    private static let keys = [dateKey, dataKey, realKey, sealedKey]

    // MARK: Writing

    /// Returns a value as JSON in one line. The members of objects are in the order of the bytes of their names.
    public static func text(_ value: Value) -> String {
        var text = ""
        append(value, to: &text)
        return text
    }

    private static func append(_ value: Value, to text: inout String) {
        switch value {
        case .string(let string): text += quoted(string)
        case .integer(let number): text += "\(number)"
        case .bool(let flag): text += "\(flag)"
        case .real(let number) where number.isFinite: text += "\(number)"
        case .real(let number): text += tagged(realKey, number.isNaN ? "nan" : number < 0 ? "-infinity" : "infinity")
        case .sealed: text += "{\"\(sealedKey)\":true}"
        case .data(let data): text += tagged(dataKey, Data(data).base64EncodedString())
        case .date(let date):
            let instant = Instant(seconds: date.seconds, nanoseconds: date.nanoseconds)
            text +=
                instant.date() == nil
                ? "{\"\(dateKey)\":[\(date.seconds),\(date.nanoseconds)]}" : tagged(dateKey, "\(instant)")
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                append(value, to: &text)
            }
            text += "]"
        case .record(let record):
            text += "{"
            let fields = record.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            for (index, field) in fields.enumerated() {
                let name = record.count == 1 && isEscaped(field.name) ? "$\(field.name)" : field.name
                text += "\(index > 0 ? "," : "")\(quoted(name)):"
                append(field.value, to: &text)
            }
            text += "}"
        }
    }

    private static func tagged(_ key: String, _ text: String) -> String { "{\"\(key)\":\(quoted(text))}" }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(json: text)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether another `$` is added to the name of a record's only field. This is the case for `$date`,
    /// `$data`, `$real` and `$sealed`, and for these names with additional leading `$`.
    private static func isEscaped(_ name: String) -> Bool {
        name.hasPrefix("$") && keys.contains("$" + name.drop { $0 == "$" })
    }

    // MARK: Reading

    /// Parses a record.
    ///
    /// - Throws: `ValidationError` with the path or the position of the error.
    public static func record(parsing bytes: [UInt8]) throws(ValidationError) -> Record {
        guard case .record(let record) = try value(parsing: bytes, as: "a record") else {
            throw ValidationError(
                .init("a record"), given: bytes.jsonExcerpt, rule: "expected an object, like {\"title\":\"milk\"}")
        }
        return record
    }

    /// Parses a value.
    ///
    /// - Parameters:
    ///   - bytes: The JSON text in UTF-8.
    ///   - subject: The name of the value in error messages, e.g. `a record`.
    /// - Returns: The value.
    /// - Throws: `ValidationError` with the path or the position of the error.
    package static func value(parsing bytes: [UInt8], as subject: String) throws(ValidationError) -> Value {
        let json = try JSONValue(parsing: bytes, as: .init(subject))
        do {
            return try value(of: json, at: "")
        } catch {
            throw ValidationError(.init(subject), given: bytes.jsonExcerpt, rule: error.rule, path: error.path)
        }
    }

    /// Returns the error for the value at a path. The caller replaces its subject and the given text.
    private static func invalid(_ path: String, _ rule: String) -> ValidationError {
        ValidationError(.init("a value"), given: "", rule: rule, path: path.isEmpty ? nil : path)
    }

    private static func value(of json: JSONValue, at path: String) throws(ValidationError) -> Value {
        switch json {
        case .null: throw invalid(path, "null cannot be stored; omit the member")
        case .bool(let flag): return .bool(flag)
        case .string(let text): return .string(text)
        case .number(let text): return try number(text, at: path)
        case .array(let values):
            var items: [Value] = []
            for (index, item) in values.enumerated() { items.append(try value(of: item, at: "\(path)[\(index)]")) }
            return .array(items)
        case .object(let members):
            var record = Record()
            for member in members {
                let memberPath = path.isEmpty ? member.name : "\(path).\(member.name)"
                if members.count == 1, let tagged = try taggedValue(of: member, at: memberPath) { return tagged }
                let name = members.count == 1 && isEscaped(member.name) ? String(member.name.dropFirst()) : member.name
                guard !name.isEmpty else { throw invalid(path, "the name of a member is empty") }
                record[name] = try value(of: member.value, at: memberPath)
            }
            return .record(record)
        }
    }

    private static func number(_ text: String, at path: String) throws(ValidationError) -> Value {
        if text.contains(where: { ".eE".contains($0) }) {
            guard let number = Double(text), number.isFinite else {
                throw invalid(path, "\(text.excerpt(80)) is beyond the range of reals")
            }
            return .real(number)
        }
        guard let number = Int64(text) else {
            throw invalid(path, "\(text.excerpt(80)) is beyond 64 bits; write it as a real or a string")
        }
        return .integer(number)
    }

    /// Returns the value that an object with a single member stands for, or `nil` if the object is a record.
    private static func taggedValue(of member: JSONValue.Member, at path: String) throws(ValidationError) -> Value? {
        switch (member.name, member.value) {
        case (dateKey, .string(let text)):
            let instant: Instant
            do { instant = try Instant(text) } catch { throw invalid(path, "\(error)") }
            guard let date = Timestamp(seconds: instant.seconds, nanoseconds: instant.nanoseconds) else { return nil }
            return .date(date)
        case (dateKey, .array(let parts)):
            guard parts.count == 2, case .number(let seconds) = parts[0], case .number(let nanoseconds) = parts[1],
                let seconds = Int64(seconds), let nanoseconds = UInt32(nanoseconds),
                let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            else { throw invalid(path, "expected the seconds and nanoseconds since 1970") }
            return .date(date)
        case (dataKey, .string(let text)):
            guard let data = Data(base64Encoded: text) else { throw invalid(path, "expected base64 with padding") }
            return .data(Array(data))
        case (realKey, .string("nan")): return .real(.nan)
        case (realKey, .string("infinity")): return .real(.infinity)
        case (realKey, .string("-infinity")): return .real(-.infinity)
        case (sealedKey, _): throw invalid(path, "only a program with the sealing key can seal a value")
        case (dateKey, _), (dataKey, _), (realKey, _):
            throw invalid(path, "see profile-cli record --help for the form of the value")
        default: return nil
        }
    }
}
