import DataStoreCore
import DataStorePlist
import Foundation
import Testing

/// Tests of the files that the store accepts as property lists, and of the parts that it preserves around its own
/// entry.
@Suite struct FileTextTests {
    private let subject: PlistSubject
    private let key: Key

    init() throws {
        subject = try PlistSubject()
        key = try Key(collection: "c", id: "a")
    }

    /// Everything around the store's entry is preserved byte for byte, and a save leaves no trace of an earlier one.
    @Test(
        "The text around the entry of the store is preserved byte for byte",
        arguments: [
            "<plist version=\"1.0\"><dict><key>A</key><string>x</string></dict></plist>",
            "<plist version=\"1.0\"><dict/></plist>\n",
            "<?xml version='1.0'?>\r\n<!-- note -->\r\n<plist version=\"1.0\">\r\n"
                + "  <dict>\r\n    <key>A</key><true/>\r\n  </dict>\r\n</plist>\r\n",
            "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                + "<dict>\n\t<key>A</key>\n\t<data>AA==</data>\n<!-- end --></dict>\n",
            "<plist><dict><key>UserProfile</key><dict><key>$format</key><integer>2</integer></dict>"
                + "<key>A</key><date>2011-08-01T00:00:00Z</date></dict></plist>",
        ])
    func template(_ text: String) async throws {
        try Data(text.utf8).write(to: subject.file)
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let first = try Data(contentsOf: subject.file)
        await store.close()
        for _ in 0..<3 {
            let store = try PlistDataStore(path: subject.path)
            try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
            try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
            await store.close()
            #expect(try Data(contentsOf: subject.file) == first)
        }
        // Apart from white space, the original text is preserved as a part of the new text.
        let (left, right) = try #require(Self.parts(of: String(decoding: first, as: UTF8.self)))
        let entry = /<key>UserProfile.*<\/integer><\/dict>/
        let others = text.replacing(entry, with: "").replacing("<dict/>", with: "<dict></dict>")
        #expect(Self.squeezed(String(left) + String(right)) == Self.squeezed(others))
    }

    private static func squeezed(_ text: String) -> [UInt8] {
        text.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// Returns the text before and after the store's entry.
    private static func parts(of text: String) -> (Substring, Substring)? {
        guard let start = text.range(of: "<key>UserProfile</key>"), let end = text.range(of: "\n\t</dict>\n") else {
            return nil
        }
        return (text[..<start.lowerBound], text[end.upperBound...])
    }

    @Test("All of the XML syntax of property lists is read")
    func xmlSyntax() async throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="no"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd" [
            <!ENTITY unused ">">
            ]>
            <?instruction?>
            <plist version="1.0"><dict ><!-- <key> --><key>UserProfile</key><dict>
            <key>$format</key><integer> 2
            </integer><key>c</key><dict><key>a</key><dict>
            <key>text</key><string>a<![CDATA[<&]]>b<!-- - -->&lt;&#65;&#x1F600;&apos;\r\n</string>
            <key>hex</key><integer>-0x1F</integer><key>plus</key><integer>+7</integer>
            <key>infinity</key><real>+infinity</real><key>real</key><real> 1e3 </real>
            <key>none</key><string/><key>no data</key><data/><key>empty</key><array/>
            <key>yes</key><true></true><key>no</key><false />
            <key>data</key><data>
            AAE
            C
            </data><key>year</key><date>913-03-17T11:19:10Z</date>
            </dict></dict></dict></dict></plist>
            """
        try Data(text.utf8).write(to: subject.file)
        let record = try PlistDataStore(path: subject.path).read { try $0.record(for: key) }
        #expect(
            record == [
                "text": .string("a<&b<A\u{1F600}'\n"), "hex": .integer(-31), "plus": .integer(7),
                "infinity": .real(.infinity), "real": .real(1000), "none": .string(""), "no data": .data([]),
                "empty": .array([]), "yes": .bool(true), "no": .bool(false), "data": .data([0, 1, 2]),
                "year": .date(Timestamp(seconds: -33_349_149_650)),
            ])
    }

    /// Each is an error with a position. None of them crashes the program or is misread.
    @Test(
        "A damaged file is an error with the byte and the line",
        arguments: [
            ("<plist><dict><key>a</key></dict></plist>", 25), ("<plist><dict><string/></dict></plist>", 13),
            ("<plist><dict><key>a</key><string>x</strin></dict></plist>", 34),
            ("<plist><dict><key>a</key><true/></dict>", 39), ("<plist><dict></dict></plist>x", 28),
            ("<plist><dict><key>a</key><string>&nbsp;</string></dict></plist>", 33),
            ("<plist><dict><key>a</key><string>\u{FFFD}&#xD800;</string></dict></plist>", 36),
            ("<plist><dict><key>a</key><url/></dict></plist>", 25), ("<plist><dict>\n\n<kez/>", 15),
            ("<plist><dict><key>a</key><array><key>b</key></array></dict></plist>", 32),
            (
                "<plist><dict><key>UserProfile</key><dict><key>$format</key><integer>x</integer></dict></dict></plist>",
                68
            ),
        ])
    func damagePosition(_ text: String, _ offset: Int) throws {
        try Data(text.utf8).write(to: subject.file)
        let error = try #require(failure())
        let cause = try #require(error.underlying as? PropertyListError)
        #expect(error.code == .corrupted && cause.offset == offset, "\(error)")
        #expect(error.reason.contains("byte \(offset)"))
        let before = text.utf8.prefix(offset)
        #expect(cause.position?.line == before.count { $0 == 0x0A } + 1)
    }

    /// Files that make other parsers exhaust the stack or the memory, or loop forever.
    @Test("No file exhausts the stack or the memory")
    func hostileFiles() async throws {
        let depth = 20_000
        let deep =
            "<plist><dict><key>A</key>" + String(repeating: "<array>", count: depth)
            + String(repeating: "</array>", count: depth) + "</dict></plist>"
        try Data(deep.utf8).write(to: subject.file)
        // Entries of other programs may be nested to any depth.
        let store = try PlistDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
        for collection in ["users", "c"] {
            var text = "<plist><dict><key>UserProfile</key><dict><key>$format</key><integer>2</integer>"
            text += "<key>\(collection)</key><dict><key>a</key><dict><key>x</key>"
            text += String(repeating: "<array>", count: depth)
            try Data(text.utf8).write(to: subject.file)
            #expect(failure()?.code == .corrupted)
        }
        // A dictionary that contains itself.
        let head: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x41]]
        try expect(.corrupted, [[0xD1, 1, 0], [0x51, 0x41]])
        // A hundred arrays, each with two references to the next. Another program's entry may have that form; it is not
        // expanded.
        try expect(nil, head + Self.twice(2..<100))
        // Counts that are too large, and references to missing objects.
        let large: [UInt8] = [0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]
        try expect(.corrupted, [[0xDF] + large])
        try expect(.corrupted, head + [[0x4F] + large])
        try expect(.corrupted, head + [[0xA1, 200]])
        try Data(Array("bplist00".utf8) + Array(repeating: 0xFF, count: 32)).write(to: subject.file)
        #expect(failure()?.code == .notAStore)
        // The same arrays in a record, where they would be expanded.
        var record: [[UInt8]] = [[0xD1, 1, 2], [0x5B] + Array("UserProfile".utf8), [0xD2, 3, 5, 4, 6]]
        record += [
            [0x57] + Array("$format".utf8), [0x10, 2], [0x51, 0x63], [0xD1, 7, 8], [0x51, 0x61], [0xD1, 7, 9],
        ]
        try expect(.corrupted, record + Self.twice(9..<60))
    }

    private func expect(_ code: DataStoreError.Code?, _ objects: [[UInt8]]) throws {
        try Data(Self.binary(objects)).write(to: subject.file)
        #expect(failure()?.code == code, "\(objects.prefix(3))")
    }

    /// Returns arrays that each have two references to the next one.
    private static func twice(_ numbers: Range<UInt8>) -> [[UInt8]] {
        numbers.map { [0xA2, $0 + 1, $0 + 1] } + [[0x09]]
    }

    @Test("An encoding other than UTF-8 is rejected")
    func encodings() throws {
        for (text, encoding) in [
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><dict/></plist>", String.Encoding.utf8),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>", .utf16),
        ] {
            try #require(text.data(using: encoding)).write(to: subject.file)
            #expect(failure()?.code == .notAStore)
        }
        // The file is declared as UTF-8 but is not valid UTF-8.
        try (Data("<plist><dict><key>a</key><string>".utf8) + [0xE9] + Data("</string></dict></plist>".utf8))
            .write(to: subject.file)
        let error = try #require(failure())
        #expect((error.underlying as? PropertyListError)?.offset == 33)
        let beginning =
            "<plist><dict><key>UserProfile</key><dict><key>$format</key><integer>2</integer><key>c</key><dict>"
            + "<key>a</key><dict><key>t</key><string>ab"
        let end = "</string></dict></dict></dict></dict></plist>"
        try (Data(beginning.utf8) + [0xE9] + Data(end.utf8)).write(to: subject.file)
        let ofRecord = try #require(failure())
        #expect((ofRecord.underlying as? PropertyListError)?.offset == beginning.utf8.count)
        #expect(ofRecord.reason.contains("the record c/a is damaged"))
    }

    /// Returns a binary property list with one-byte object references.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] {
            for shift in (0..<8).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        return bytes
    }

    /// Returns the error of opening a store, or `nil` if it opens.
    private func failure() -> DataStoreError? {
        do throws(DataStoreError) {
            _ = try PlistDataStore(path: subject.path)
            return nil
        } catch {
            return error
        }
    }
}
