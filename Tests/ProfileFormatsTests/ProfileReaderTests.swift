import ProfileFormats
import Testing
import UserProfileDomain

@Suite struct ProfileReaderTests {
    /// The current time, on 2023-11-14 in UTC. A birthday may be at most one day later.
    private static let now = Instant(seconds: 1_700_000_000)

    /// A text and the expected result: users as `id mail birthday`, or the number of a line and a part of its error
    /// message.
    private struct Case: CustomTestStringConvertible {
        let format: ProfileFormat
        let text: String
        let expected: [String]
        var testDescription: String { text.debugDescription }

        init(_ format: ProfileFormat, _ text: String, _ expected: String...) {
            self.format = format
            self.text = text
            self.expected = expected
        }
    }

    private static let cases = [
        Case(.jsonLines, ""), Case(.jsonLines, "\u{FEFF}"), Case(.jsonLines, "\n \t\r\n\n"),
        Case(.jsonLines, "\u{FEFF}{\"id\":\"a\"}", "a - -"),
        Case(
            .jsonLines,
            #"{"id":"a","mailAddress":"a@example.com","birthday":"2011-08-01"}"# + "\r\n"
                + #" { "birthday" : "" , "mailAddress":null,"id" :"b"} "#,
            "a a@example.com 2011-08-01", "b - -"),
        Case(.jsonLines, #"{"\u0069d":"\ud83d\ude00\u00e9\/é\\"}"#, "😀éé\\ - -".replacing("éé", with: "é/é")),
        Case(
            .jsonLines, "{\"id\":\"a\"}\n[]\n\n{\"id\":\"c\"}", "a - -", "2 not a JSON object", "c - -"),
        Case(.jsonLines, #"{"id":"a","id":"b"}"#, "1 the member id occurs twice"),
        Case(.jsonLines, #"{"id":"a","mail":"b"}"#, #"1 the member "mail" is unknown"#),
        Case(.jsonLines, #"{"id":1}"#, "1 the member id is not a string"),
        Case(.jsonLines, #"{"mailAddress":"a@example.com"}"#, "1 the id is missing"),
        Case(.jsonLines, #"{"id":""}"#, "1 the id is missing"),
        Case(.jsonLines, #"{"id":"a""#, "1 the object is not closed"),
        Case(.jsonLines, #"{"id":"a"}}"#, "1 nothing may follow"),
        Case(.jsonLines, #"{"id":"a",}"#, "1 the name of a member is missing"),
        Case(.jsonLines, #"{"id":"\ud83d"}"#, "1 a \\u escape is half"),
        Case(.jsonLines, #"{"id":"\x"}"#, "1 a backslash is not followed by"),
        Case(.jsonLines, "{\"id\":\"a\tb\"}", "1 a string contains a control character"),
        Case(.jsonLines, #"{"id":"a","birthday":"2011-8-1"}"#, #"1 "2011-8-1" is not a birthday"#),
        Case(
            .jsonLines, #"{"id":"a","birthday":"2023-11-17"}"#,
            #"1 "2023-11-17" is not a birthday: it is in the future"#),
        Case(.jsonLines, #"{"id":"a","mailAddress":"@"}"#, #"1 "@" is not a mail address"#),
        Case(.csv, ""),
        Case(.csv, "id,mailAddress,birthday\r\n"),
        Case(
            .csv, "\u{FEFF}birthday,id\r\n2011-08-01,a\r\n\r\n,b\r\n", "a - 2011-08-01", "b - -"),
        Case(
            .csv, "\u{FEFF}\"id\",\"mailAddress\"\n\"a,\"\"b\"\"\",\"\"\"x\r\n\"", #"2-3 "\"x"#),
        // A quote that is not closed invalidates only its own line.
        Case(
            .csv, "id,mailAddress\na,\"b\nc,\nd,\n", "2 the quote that begins value 2 is not closed", "c - -", "d - -"),
        Case(.csv, "id\na\n\"b", "a - -", "3 the quote that begins value 1 is not closed"),
        Case(
            .csv, "id\nx\",\"\nx\",\"\nx\",\"\n", "2 value 1 contains a quote", "3-4 value 1 contains a quote"),
        Case(.csv, "id\n\"a\nb\n\"c\nd\n", "2-4 expected a comma after the quote", "d - -"),
        Case(
            .csv, "id,mailAddress\n\"a,\"\"b\"\"\",\"\"\"x y\"\"@example.com\"\n", #"a,"b" "x y"@example.com -"#),
        Case(
            .csv, "id,mailAddress\n\"a\nb\",\nc,\n", "2-3 \"a\\u{A}b\" is not a user id", "c - -"),
        Case(.csv, "id,mailAddress\na\nb,,\nc,", "2 1 value, but the first line names 2", "3 3 values", "c - -"),
        Case(.csv, "id\na\"b\nc", "2 value 1 contains a quote", "c - -"),
        Case(.csv, "id\n\"a\"b\nc", "2 expected a comma after the quote", "c - -"),
        Case(.csv, "id,birthday\na,2011-02-29\n", #"2 "2011-02-29" is not a birthday"#),
        Case(.csv, "a,a@example.com,\nb,,\n", "1 the column \"a\" is unknown"),
        Case(.csv, "mailAddress,birthday\na@example.com,\n", "1 the column id is missing"),
        Case(.csv, "id,id\n", "1 the column id occurs twice"),
        Case(.csv, "id;mailAddress\n", "1 the columns are separated by semicolons"),
        Case(.csv, "id;mailAddress\tbirthday\n", "1 the columns are separated by semicolons"),
    ]

    @Test("A line is a user or an error with its number and the reason, in pieces of any size", arguments: cases)
    private func lines(_ given: Case) {
        // As a whole, and byte by byte.
        for size in [Int.max, 1] {
            let found = read(Array(given.text.utf8), given.format, size)
            #expect(found.count == given.expected.count, "\(found)")
            for (found, expected) in zip(found, given.expected) { #expect(found.hasPrefix(expected)) }
        }
    }

    @Test(
        "Unknown members and columns are ignored on request",
        arguments: [
            (
                ProfileFormat.jsonLines,
                #"{"x":[1,{"y":"]"},[],{}],"id":"a","z":-1.5e3,"t":true,"n":null}"# + "\n{\"x\":01,\"id\":\"b\"}"
            ),
            (.csv, "x,id,y\n1,a,2\n,\"\"x,\n"),
        ])
    func unknownFields(_ format: ProfileFormat, _ text: String) {
        let found = read(Array(text.utf8), format, .max, ignoresUnknown: true)
        #expect(found.count == 2 && found[0] == "a - -" && found[1].first?.isNumber == true, "\(found)")
    }

    @Test(
        "Only numbers of JSON are ignored",
        arguments: [
            ("0", true), ("-0.5e+10", true), ("120E-3", true), ("", false), ("-", false), ("+1", false), ("01", false),
            ("1.", false), (".5", false), ("1e", false), ("1e+", false), ("0x1", false), ("1-2", false), ("--1", false),
        ])
    func ignoredNumbers(_ number: String, _ isValid: Bool) {
        let text = #"{"id":"a","x":[\#(number),{"y": \#(number) }]}"#
        let found = read(Array(text.utf8), .jsonLines, .max, ignoresUnknown: true)
        #expect((found == ["a - -"]) == isValid && found.count == 1, "\(found)")
    }

    @Test("Lines with many ignored numbers are read", .timeLimit(.minutes(1)))
    func manyIgnoredNumbers() {
        let numbers = String(repeating: "1,", count: ProfileReader.maximumLineByteCount / 2 - 20)
        let line = #"{"id":"a","x":[\#(numbers)1]}"# + "\n"
        let found = read(Array(String(repeating: line, count: 4).utf8), .jsonLines, .max, ignoresUnknown: true)
        #expect(found == Array(repeating: "a - -", count: 4))
    }

    @Test("A line that is not UTF-8 is an error", arguments: ProfileFormat.allCases)
    func invalidUTF8(_ format: ProfileFormat) {
        let line =
            format == .csv
            ? Array("id\n".utf8) + [0xFF, 10] : Array(#"{"id":""#.utf8) + [0xC0, 0x80] + Array("\"}".utf8)
        #expect(read(line, format, .max).map { $0.contains("not valid UTF-8") } == [true])
    }

    @Test("An endless line is rejected before it exhausts memory")
    func endlessLine() {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        for (format, start) in [(ProfileFormat.jsonLines, ""), (.csv, "id\n\"")] {
            var reader = ProfileReader(format, now: Self.now)
            reader.append(Array(start.utf8))
            var (pieces, failures) = (0, [ProfileFormatError]())
            while failures.isEmpty, pieces < 2000 {
                reader.append(piece)
                pieces += 1
                while let line = reader.next() { if case .failure(let error) = line { failures.append(error) } }
            }
            #expect(1024...1026 ~= pieces && failures.count == 1 && failures[0].isFatal)
            reader.append(Array("\n".utf8))
            #expect(reader.next() == nil, "nothing follows")
        }
    }

    @Test("A line that is too long is skipped, however the input is divided", arguments: ProfileFormat.allCases)
    func longLine(_ format: ProfileFormat) throws {
        let long = String(repeating: "x", count: ProfileReader.maximumLineByteCount)
        let (first, last, quoted) =
            format == .csv
            ? ("id\na\n", "b\n\(long)y\nc", "\"")
            : (#"{"id":"a"}"# + "\n", #"{"id":"b"}"# + "\n\(long)y\n" + #"{"id":"c"}"#, "")
        let text = Array("\(first)\(long)\(long)\n\(last)\n\(quoted)\(long)y".utf8)
        let start: Int64 = format == .csv ? 3 : 2
        for size in [Int.max, 1 << 18, 4099] {
            let found = read(text, format, size)
            try #require(found.count == 6, "\(found.map { $0.prefix(80) })")
            #expect(found[0] == "a - -" && found[2] == "b - -" && found[4] == "c - -")
            for (index, line) in [(1, start), (3, start + 2), (5, start + 4)] {
                #expect(found[index].hasPrefix("\(line) longer than 1048576 bytes"), "\(found[index])")
            }
            #expect(try position(text, format, size) == position(text, format, .max))
        }
    }

    @Test("The reader reads the writer's output from every position", arguments: ProfileFormat.allCases)
    func roundTrip(_ format: ProfileFormat) throws {
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed.
        var generator = RandomProfiles()
        print("\(format): seed \(generator.seed)")
        for round in 0..<50 {
            let users = generator.users(count: 20)
            var bytes: [UInt8] = []
            format.begin(&bytes)
            for user in users { format.append(user, to: &bytes) }
            let size = generator.size()
            #expect(read(bytes, format, size) == users.map(Self.text), "seed \(generator.seed), round \(round)")
            #expect(try position(bytes, format, size) == position(bytes, format, .max))
        }
    }

    // MARK: Reading

    private func read(
        _ bytes: [UInt8], _ format: ProfileFormat, _ size: Int, ignoresUnknown: Bool = false
    ) -> [String] {
        var reader = ProfileReader(format, ignoresUnknown: ignoresUnknown, now: Self.now)
        var found: [String] = []
        func take() {
            while let line = reader.next() {
                switch line {
                case .success(let user): found.append(Self.text(user))
                case .failure(let error):
                    let lines = error.lastLine > error.line ? "\(error.line)-\(error.lastLine)" : "\(error.line)"
                    found.append("\(lines) \(error.reason)")
                }
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            take()
        }
        reader.end()
        take()
        return found
    }

    private func position(_ bytes: [UInt8], _ format: ProfileFormat, _ size: Int) throws -> InputPosition {
        var reader = ProfileReader(format, now: Self.now)
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while reader.next() != nil {}
        }
        reader.end()
        while reader.next() != nil {}
        #expect(reader.position.byteCount == bytes.count)
        return reader.position
    }

    private static func text(_ user: User) -> String {
        "\(user.id) \(user.mailAddress?.text ?? "-") \(user.birthday?.description ?? "-")"
    }
}
