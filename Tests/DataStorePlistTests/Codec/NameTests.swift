import DataStoreCore
import DataStorePlist
import Foundation
import Testing

/// Tests of strings that are used as keys.
@Suite struct NameTests {
    @Test("Names that are composed according to Foundation are stored unchanged, and others are percent-encoded")
    func composedNames() throws {
        for name in ["a", "é", "e\u{301}", "\u{212B}", "Å", "한글", "\u{1112}\u{1161}\u{11AB}", "か\u{3099}", "が", "😀"] {
            let isComposed = name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
            let key =
                isComposed
                ? name
                : "$"
                    + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.urlHostAllowed))
                        ?? "")
            for format in [PlistDataStore.Format.xml, .binary] {
                let entries = [Entry(key: try Key(collection: name, id: name), record: [name: .bool(true)])]
                let bytes = Samples.write(entries, PropertyListTemplate(format: format))
                let root = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
                let ownEntry = try #require((root as? [String: [String: Any]])?["UserProfile"])
                #expect(ownEntry.keys.contains { $0.utf8.elementsEqual(key.utf8) }, "\(name): \(ownEntry.keys)")
                #expect(try Samples.read(bytes).entries == entries)
            }
        }
    }

    @Test("A name that is not ASCII is read in plain and encoded form")
    func bothForms() throws {
        for (key, name) in [
            ("é", "é"), ("$%C3%A9", "é"), ("e\u{301}", "e\u{301}"), ("$e%CC%81", "e\u{301}"), ("$%24a", "$a"),
        ] {
            let list = try Samples.read(Samples.xml("<key>c</key><dict><key>\(key)</key><dict/></dict>"))
            #expect(list.entries.map(\.key) == [try Key(collection: "c", id: name)])
        }
    }

    @Test(
        "Keys that encode no name are errors",
        arguments: ["$", "$a", "$%41", "$%c3%a9", "$%C3", "$%2", "$%", "$%+1", "$date", "$%C3%A9%41", ""])
    func invalidKeys(key: String) {
        let bytes = Samples.xml("<key>c</key><dict><key>\(key)</key><dict/></dict>")
        #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
    }

    @Test("Two keys of one name are an error, and the last one is recovered")
    func twoKeysOfOneName() throws {
        let records = "<key>é</key><dict><key>n</key><true/></dict><key>$%C3%A9</key><dict/>"
        let bytes = Samples.xml("<key>c</key><dict>\(records)</dict>")
        let error = #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
        #expect(error.map { String(decoding: bytes[$0.offset...].prefix(9), as: UTF8.self) } == "<key>$%C3")
        let recovered = try Samples.recover(bytes)
        #expect(recovered.entries.map(\.record) == [[:]] && recovered.losses.count == 1)
        let fields = "<key>a</key><dict><key>é</key><true/><key>$%C3%A9</key><true/></dict>"
        #expect(throws: PropertyListError.self) { try Samples.read(Samples.xml("<key>c</key><dict>\(fields)</dict>")) }
    }
}
