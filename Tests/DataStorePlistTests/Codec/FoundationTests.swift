import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Testing

/// Compares the codec with Foundation's on random property lists, for reading and for writing.
@Suite struct FoundationTests {
    private static let formats: [PlistDataStore.Format] = [.xml, .binary]

    @Test("Values that Foundation writes are read unchanged", arguments: formats)
    func readsFoundation(format: PlistDataStore.Format) throws {
        var random = SeededGenerator()
        print("property lists of Foundation: seed \(random.seed)")
        for _ in 0..<50 {
            var root: [String: Any] = [:]
            for number in 0..<20 { root["key \(number)"] = Self.value(depth: 0, using: &random) }
            let bytes = [UInt8](
                try PropertyListSerialization.data(
                    fromPropertyList: root, format: format == .xml ? .xml : .binary, options: 0))
            let read = try PropertyList.rootEntries(Array(root.keys), of: bytes)
            #expect(read.count == root.count)
            for (key, value) in root { #expect(read[key] == Self.value(of: value), "\(key), seed \(random.seed)") }
        }
    }

    @Test("Foundation reads written values unchanged", arguments: formats)
    func isReadByFoundation(format: PlistDataStore.Format) throws {
        var random = SeededGenerator()
        print("property lists for Foundation: seed \(random.seed)")
        for _ in 0..<50 {
            var root: [String: Any] = [:]
            for number in 0..<20 { root["key \(number)"] = Self.value(depth: 0, using: &random) }
            guard case .record(let record) = Self.value(of: root) else { continue }
            let entries = [Entry(key: try Key(collection: "c", id: "a"), record: record)]
            let bytes = Samples.write(entries, PropertyListTemplate(format: format))
            let found = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
            let ownEntry = (found as? [String: [String: Any]])?["UserProfile"]?["c"] as? [String: Any]
            #expect(Self.value(of: ownEntry?["a"] ?? "") == .record(record), "seed \(random.seed)")
        }
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
        case 0: return Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random)
        case 1: return Double.random(in: -1e9...1e9, using: &random)
        case 2: return Bool.random(using: &random)
        case 3:
            let count = Int.random(in: 0..<200, using: &random)
            return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 4:
            return Date(
                timeIntervalSince1970: Double(Int.random(in: -60_000_000_000...250_000_000_000, using: &random)))
        case 5:
            let letters = Array("abc <&>\"'\n\téß€😀が]]>")
            return String(
                (0..<Int.random(in: 0..<80, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
        case 6:
            return (0..<Int.random(in: 0..<6, using: &random)).map { _ in value(depth: depth + 1, using: &random) }
        default:
            var entries: [String: Any] = [:]
            for number in 0..<Int.random(in: 0..<6, using: &random) {
                entries["é \(number) &"] = value(depth: depth + 1, using: &random)
            }
            return entries
        }
    }

    /// Returns the value for a Foundation object.
    private static func value(of object: Any) -> Value? {
        switch object {
        case let text as String: return .string(text)
        case let data as Data: return .data([UInt8](data))
        case let date as Date: return .date(Timestamp(seconds: Int64(date.timeIntervalSince1970)))
        case let flag as Bool where "\(type(of: object))".contains("Bool"): return .bool(flag)
        case let number as NSNumber:
            // An NSNumber of a Boolean has the type "c" too.
            let type = unsafe String(cString: number.objCType)
            if type == "c" || type == "B" { return .bool(number.boolValue) }
            return type == "d" || type == "f" ? .real(number.doubleValue) : .integer(number.int64Value)
        case let number as Int64: return .integer(number)
        case let number as Double: return .real(number)
        case let array as [Any]: return .array(array.compactMap(value(of:)))
        case let entries as [String: Any]:
            var record = Record()
            for (key, object) in entries { record[key] = value(of: object) }
            return .record(record)
        default: return nil
        }
    }
}
