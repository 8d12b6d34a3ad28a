import DataStoreCore
import DataStorePlist
import Foundation
import Testing

@Suite struct SuiteTests {
    #if canImport(Darwin)
    private static let folder = "Library/Preferences"
    #else
    private static let folder = ".config"
    #endif

    @Test("A suite is a file in the directory of preferences")
    func folder() throws {
        let home = ["HOME": "/home/somebody"]
        for name in ["com.example.app", "x.plist", "名前 %$", "e\u{301}", "...", ".hidden", "a:b\\c", "-"] {
            let path = try PlistDataStore.path(ofSuite: name, environment: { home[$0] })
            #expect(path.utf8.elementsEqual("/home/somebody/\(Self.folder)/\(name).plist".utf8))
        }
    }

    @Test("Without HOME, the home directory of the account is used")
    func accountHome() throws {
        let expected = "\(NSHomeDirectory())/\(Self.folder)/a.plist"
        for environment in [[:], ["HOME": ""], ["HOME": "home"]] {
            #expect(try PlistDataStore.path(ofSuite: "a", environment: { environment[$0] }) == expected)
        }
    }

    #if !canImport(Darwin)
    @Test(
        "An absolute XDG_CONFIG_HOME determines the directory",
        arguments: [
            ("/etc/xdg", "/etc/xdg/a.plist"), ("", "/home/somebody/.config/a.plist"),
            ("relative", "/home/somebody/.config/a.plist"), ("~/x", "/home/somebody/.config/a.plist"),
        ])
    func configHome(_ configHome: String, _ path: String) throws {
        let environment = ["HOME": "/home/somebody", "XDG_CONFIG_HOME": configHome]
        #expect(try PlistDataStore.path(ofSuite: "a", environment: { environment[$0] }) == path)
    }
    #endif

    @Test(
        "A name that leaves the directory is rejected",
        arguments: ["", ".", "..", "a/b", "/", "../a", "/etc/passwd", "a\0b"])
    func nameOutsideFolder(_ name: String) {
        #expect {
            _ = try PlistDataStore.path(ofSuite: name)
        } throws: { error in
            guard let error = error as? DataStoreError else { return false }
            return error.code == .notAStore && error.reason.contains(name.debugDescription)
        }
    }
}
