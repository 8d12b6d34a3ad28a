import DataStoreCore
import DataStorePlist
import Testing

/// Tests of reading the intact parts of damaged files.
@Suite struct PropertyListRecoveryTests {
    @Test("A file with two entries UserProfile is recovered as a file with one")
    func twoRoots() throws {
        func root(_ id: String) -> String {
            "\t<key>UserProfile</key>\n\t<dict>\n\t\t<key>$format</key>\n\t\t<integer>2</integer>\n"
                + "\t\t<key>c</key>\n\t\t<dict>\n\t\t\t<key>\(id)</key>\n\t\t\t<dict/>\n\t\t</dict>\n\t</dict>\n"
        }
        let text = "<plist>\n<dict>\n\(root("a"))\t<key>k</key>\n\t<true/>\n\(root("b"))</dict>\n</plist>\n"
        let recovered = try Samples.recover(Array(text.utf8))
        #expect(recovered.losses.count == 1)
        let written = Samples.write(recovered)
        #expect(try Samples.read(written).entries.map(\.key.id) == ["a", "b"])
        #expect(try PropertyList.rootEntries(["k"], of: written) == ["k": .bool(true)])
    }

    @Test("Positions count characters, not bytes")
    func positions() {
        let bytes = Array("é\n😀x\n".utf8)
        let positions = PropertyListError.positions(of: [7, 0, 3, 2, 1000, -1], in: bytes)
        #expect(positions.map(\.line) == [2, 1, 2, 1, 3, 1])
        #expect(positions.map(\.column) == [2, 1, 1, 2, 1, 1])
    }

    @Test("The format is recognized by the first bytes")
    func formats() {
        let xml = ["<?xml?>", "\u{FEFF}<plist>", " \n\t<!DOCTYPE plist", "<!-- -->"]
        for text in xml { #expect(PlistDataStore.Format(firstBytes: Array(text.utf8)) == .xml) }
        #expect(PlistDataStore.Format(firstBytes: Array("bplist00".utf8)) == .binary)
        for text in ["", "bplist", "{ a = 1; }", "<html>", String(repeating: " ", count: 1024) + "<plist>"] {
            #expect(PlistDataStore.Format(firstBytes: Array(text.utf8)) == nil)
        }
        // Later bytes are not examined: a caller may pass the beginning of the file alone.
        let bytes = Array((String(repeating: " ", count: 1019) + "<plist></plist>").utf8)
        #expect(PlistDataStore.Format(firstBytes: bytes) == nil)
    }
}
