import Foundation
import Testing

@Suite struct ImportDefaultsTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Writes the defaults file of an app next to the home directory.
    @discardableResult
    private func defaults(
        _ entries: [String: Any], as format: PropertyListSerialization.PropertyListFormat = .xml,
        at name: String = "app.plist"
    ) throws -> URL {
        try cli.write(
            try PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0), to: name)
    }

    private func user(_ id: String = "me", in store: Store) async throws -> UserDocument? {
        let outcome = try await cli.run("show", "--user", id, "--format", "json", in: store)
        return outcome.code == 1 ? nil : try outcome.document()
    }

    // MARK: Imported values

    @Test(
        "A profile is imported from a file of UserDefaults", arguments: StoreKind.allCases,
        [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func importedProfile(_ kind: StoreKind, _ format: PropertyListSerialization.PropertyListFormat) async throws {
        // Other entries may have any type.
        let file = try defaults(
            [
                "mailAddress": "vision@example.com", "birthDay": "2011-08-01", "launches": 5,
                "windows": [["x": 1.5]], "token": Data([1, 2]), "big": UInt64.max,
            ], as: format)
        let before = try Data(contentsOf: file)
        let outcome = try await cli.run("import-defaults", file.path, in: cli.store(kind))
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty)
        let expected = UserDocument(id: "me", mailAddress: "vision@example.com", birthday: "2011-08-01")
        #expect(try await user(in: cli.store(kind)) == expected)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("A file in a directory of every user is imported, because it is only read")
    func directoryOfEveryone() async throws {
        let file = try defaults(["mailAddress": "vision@example.com"], at: "shared/app.plist")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: file.deletingLastPathComponent().path)
        #expect(try await cli.run("import-defaults", file.path, in: cli.store(.lmdb)).code == 0)
    }

    @Test("--user selects the user of the imported profile")
    func userOption() async throws {
        let file = try defaults(["mailAddress": "vision@example.com"])
        let store = cli.store(.lmdb)
        try await cli.run("import-defaults", file.path, "--user", "vision", in: store)
        #expect(try await user("vision", in: store)?.mailAddress == "vision@example.com")
        #expect(try await user(in: store) == nil)
    }

    @Test("An empty text does not remove a saved value")
    func emptyText() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "old@example.com", in: store)
        let file = try defaults(["mailAddress": "", "birthDay": "2011-08-01"])
        #expect(try await cli.run("import-defaults", file.path, in: store).code == 0)
        let expected = UserDocument(id: "me", mailAddress: "old@example.com", birthday: "2011-08-01")
        #expect(try await user(in: store) == expected)
    }

    @Test("A file with empty texts results in a user without values")
    func emptyTexts() async throws {
        let file = try defaults(["mailAddress": "", "birthDay": ""])
        #expect(try await cli.run("import-defaults", file.path, in: cli.store(.lmdb)).code == 0)
        #expect(try await user(in: cli.store(.lmdb)) == UserDocument(id: "me"))
    }

    @Test(
        "A date is the day in the time zone of the user",
        arguments: [
            ("Asia/Tokyo", "2011-08-01"), ("UTC", "2011-07-31"), ("America/New_York", "2011-07-31"),
            ("Pacific/Kiritimati", "2011-08-01"),
        ])
    func timeZone(_ zone: String, _ day: String) async throws {
        // Midnight of 1 August 2011 in Tokyo.
        let file = try defaults(["birthDay": Date(timeIntervalSince1970: 1_312_124_400)])
        let outcome = try await cli.run(
            ["import-defaults", file.path, "--dry-run", "--format", "json"], in: cli.store(.lmdb), with: ["TZ": zone])
        #expect(try outcome.document(UserDocument.self).birthday == day)
    }

    @Test("A date before 1970 is a day")
    func dateBefore1970() async throws {
        let file = try defaults(["birthDay": Date(timeIntervalSince1970: -1)], as: .binary)
        try await cli.run(["import-defaults", file.path], in: cli.store(.plist), with: ["TZ": "UTC"])
        #expect(try await user(in: cli.store(.plist))?.birthday == "1969-12-31")
    }

    // MARK: A dry run

    @Test("A dry run prints the profile and saves nothing", arguments: StoreKind.allCases)
    func dryRun(_ kind: StoreKind) async throws {
        let file = try defaults(["mailAddress": "vision@example.com", "birthDay": ""])
        let before = try cli.snapshot()
        let text = try await cli.run("import-defaults", file.path, "--dry-run", in: cli.store(kind))
        #expect(text.code == 0 && text.error.isEmpty)
        #expect(text.lines == ["user\tme", "mail address\tvision@example.com", "birthday\tnone"])
        let json = try await cli.run(
            "import-defaults", file.path, "--dry-run", "--format", "json", in: cli.store(kind))
        #expect(try json.document() == UserDocument(id: "me", mailAddress: "vision@example.com"))
        #expect(try cli.snapshot() == before)
    }

    // MARK: File or suite

    @Test("A name is a suite at the location of the platform")
    func suite() async throws {
        #if canImport(Darwin)
        let folder = "home/Library/Preferences"
        #else
        let folder = "home/.config"
        #endif
        try defaults(["mailAddress": "suite@example.com"], at: "\(folder)/com.example.app.plist")
        // A file in the working directory with the name of the suite is not used.
        try defaults(["mailAddress": "file@example.com"], at: "com.example.app")
        let outcome = try await cli.run("import-defaults", "com.example.app", "--dry-run", in: .memory)
        #expect(outcome.lines.dropFirst().first == "mail address\tsuite@example.com")
        let file = try await cli.run("import-defaults", "./com.example.app", "--dry-run", in: .memory)
        #expect(file.lines.dropFirst().first == "mail address\tfile@example.com")
    }

    #if !canImport(Darwin)
    @Test("A suite is searched in XDG_CONFIG_HOME")
    func suiteInConfigHome() async throws {
        try defaults(["mailAddress": "suite@example.com"], at: "xdg/app.plist")
        let outcome = try await cli.run(
            ["import-defaults", "app", "--dry-run"], in: .memory, with: ["XDG_CONFIG_HOME": cli.url("xdg").path])
        #expect(outcome.lines.dropFirst().first == "mail address\tsuite@example.com")
    }
    #endif

    @Test("A name that ends in .plist is a file in the working directory")
    func relativeFile() async throws {
        try defaults(["mailAddress": "file@example.com"])
        let outcome = try await cli.run("import-defaults", "app.plist", "--dry-run", in: .memory)
        #expect(outcome.lines.dropFirst().first == "mail address\tfile@example.com")
    }

    @Test("The store and the defaults may be in the same file")
    func sameFile() async throws {
        let file = try defaults(["mailAddress": "vision@example.com", "launches": 5])
        let store = Store(text: "plist:\(file.path)")
        #expect(try await cli.run("import-defaults", file.path, in: store).code == 0)
        #expect(try await user(in: store)?.mailAddress == "vision@example.com")
        let root = try unsafe PropertyListSerialization.propertyList(
            from: try Data(contentsOf: file), options: [], format: nil)
        let entries = try #require(root as? [String: Any])
        #expect(entries["mailAddress"] as? String == "vision@example.com" && entries["launches"] as? Int == 5)
    }

    // MARK: Rejected values

    /// Entries of which one is rejected, and words of the message.
    struct BadEntries: Sendable, CustomTestStringConvertible {
        let xml: String
        let words: [String]
        var testDescription: String { words.joined(separator: ", ") }

        init(_ xml: String, _ words: String...) { (self.xml, self.words) = (xml, words) }
    }

    private static let good = "<key>mailAddress</key><string>new@example.com</string>"

    static let badEntries = [
        BadEntries("<key>mailAddress</key><string>vision@@example.com</string>", "mailAddress", "vision@@"),
        BadEntries("<key>mailAddress</key><integer>5</integer>", "mailAddress", "integer"),
        BadEntries("<key>mailAddress</key><array><string>a@example.com</string></array>", "mailAddress", "array"),
        BadEntries("<key>mailAddress</key><true/>", "mailAddress", "bool"),
        BadEntries("<key>mailAddress</key><date>2011-08-01T00:00:00Z</date>", "mailAddress", "date"),
        BadEntries("\(good)<key>birthDay</key><string>2011-8-1</string>", "birthDay", "2011-8-1"),
        BadEntries("\(good)<key>birthDay</key><string>9999-12-31</string>", "birthDay", "in the future"),
        BadEntries("\(good)<key>birthDay</key><date>9000-08-01T00:00:00Z</date>", "birthDay", "in the future"),
        BadEntries("\(good)<key>birthDay</key><string>0002-02-28</string>", "birthDay", "0002", "Japanese era"),
        BadEntries("\(good)<key>birthDay</key><string>1400-05-01</string>", "birthDay", "1400", "Gregorian year"),
        BadEntries("\(good)<key>birthDay</key><date>0064-01-07T00:00:00Z</date>", "birthDay", "Japanese era"),
        BadEntries("\(good)<key>birthDay</key><integer>20110801</integer>", "birthDay", "integer"),
        BadEntries("\(good)<key>birthDay</key><real>1.5</real>", "birthDay", "real"),
        BadEntries("\(good)<key>birthDay</key><data>AQI=</data>", "birthDay", "data"),
        BadEntries("\(good)<key>birthDay</key><dict/>", "birthDay", "record"),
        BadEntries("\(good)<key>birthDay</key><integer>18446744073709551615</integer>", "birthDay", "integer"),
    ]

    @Test("An invalid value is rejected and nothing is saved", arguments: badEntries)
    func badValue(_ entries: BadEntries) async throws {
        let file = try cli.write(
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(entries.xml)</dict></plist>", to: "app.plist")
        let store = cli.store(.plist)
        try await cli.run("set-mail", "old@example.com", in: store)
        let before = try cli.snapshot()
        for arguments in [["--dry-run"], []] {
            let outcome = try await cli.run(["import-defaults", file.path] + arguments, in: store)
            #expect(outcome.code == 65 && outcome.isOneSentence, "\(outcome.error)")
            for word in entries.words { #expect(outcome.error.contains(word), "\(outcome.error)") }
            #expect(try cli.snapshot() == before)
        }
    }

    @Test(
        "A file that is not a property list of defaults exits with 65",
        arguments: [
            ("", "property list"), ("some text", "property list"),
            ("{ mailAddress = \"a@example.com\"; }", "property list"),
            ("{\"mailAddress\": \"a@example.com\"}", "property list"), ("bplist00rubbish", "property list"),
            ("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>mailAddress</key>", "property list"),
            ("<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>", "not a dictionary"),
        ])
    func invalidFile(_ contents: String, _ words: String) async throws {
        let file = try cli.write(contents, to: "app.plist")
        let before = try cli.snapshot()
        let outcome = try await cli.run("import-defaults", file.path, in: cli.store(.lmdb))
        #expect(outcome.code == 65 && outcome.isOneSentence, "\(outcome.error)")
        #expect(outcome.error.contains(words) && outcome.error.contains(file.path), "\(outcome.error)")
        #expect(try cli.snapshot() == before)
    }

    @Test("A file without a profile exits with 1")
    func missingProfile() async throws {
        let file = try defaults(["email": "vision@example.com"])
        let before = try cli.snapshot()
        let outcome = try await cli.run("import-defaults", file.path, in: cli.store(.lmdb))
        #expect(outcome.code == 1 && outcome.isOneSentence && outcome.error.contains("neither"))
        #expect(try cli.snapshot() == before)
    }

    @Test("A missing file exits with 66")
    func missingFile() async throws {
        for source in ["/missing/app.plist", cli.home.path, "missing", "app.plist"] {
            let outcome = try await cli.run("import-defaults", source, in: cli.store(.lmdb))
            #expect(outcome.code == 66 && outcome.isOneSentence, "\(outcome.error)")
        }
        let pipe = cli.url("pipe.plist").path
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        #expect(try await cli.run("import-defaults", pipe, in: cli.store(.lmdb)).code == 66)
    }

    @Test(
        "A file without read permission exits with 77",
        .disabled(if: geteuid() == 0, "the superuser has all permissions"))
    func forbiddenFile() async throws {
        let file = try defaults(["mailAddress": "vision@example.com"])
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        #expect(try await cli.run("import-defaults", file.path, in: cli.store(.lmdb)).code == 77)
    }

    @Test("An invalid name of a suite exits with 65")
    func invalidSuite() async throws {
        for name in ["", ".", ".."] {
            #expect(try await cli.run("import-defaults", name, in: cli.store(.lmdb)).code == 65)
        }
    }
}
