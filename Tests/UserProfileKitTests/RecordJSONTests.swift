import DataStoreCore
import DataStoreTesting
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of the JSON form of records, in this process.
@Suite struct RecordJSONTests {
    private func parsed(_ text: String) throws(UserProfileDomain.ValidationError) -> Value {
        try RecordJSON.value(parsing: Array(text.utf8), as: "a value")
    }

    @Test("Each value has one JSON form, and is read back equal")
    func forms() throws {
        let forms: [(Value, String)] = [
            (.string("a\"\\\n\u{1}天"), #""a\"\\\n\u0001天""#), (.integer(.min), "-9223372036854775808"),
            (.real(5), "5.0"),
            (.real(1e300), "1e+300"), (.real(-0.0), "-0.0"), (.bool(false), "false"),
            (.real(.nan), #"{"$real":"nan"}"#), (.real(.infinity), #"{"$real":"infinity"}"#),
            (.real(-.infinity), #"{"$real":"-infinity"}"#), (.data([1, 2, 255]), #"{"$data":"AQL/"}"#),
            (.data([]), #"{"$data":""}"#),
            (
                .date(try #require(Timestamp(seconds: 1, nanoseconds: 5))),
                #"{"$date":"1970-01-01T00:00:01.000000005Z"}"#
            ),
            (.date(Timestamp(seconds: .max)), #"{"$date":[9223372036854775807,0]}"#),
            (.array([.integer(1), .array([]), .record([:])]), "[1,[],{}]"),
            (.record(["bb": .integer(1), "a": .integer(2), "B": .integer(3)]), #"{"B":3,"a":2,"bb":1}"#),
            // Records that look like other values.
            (.record(["$date": .string("x")]), #"{"$$date":"x"}"#),
            (.record(["$$real": .bool(true)]), #"{"$$$real":true}"#),
            (.record(["$null": .bool(true)]), #"{"$null":true}"#),
            (.record(["$date": .integer(1), "a": .integer(2)]), #"{"$date":1,"a":2}"#),
        ]
        for (value, text) in forms {
            #expect(RecordJSON.text(value) == text)
            #expect(try parsed(text) == value, "\(text)")
        }
    }

    @Test("Random records are read back equal")
    func randomRecords() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let record = Record.random(using: &generator)
            let text = RecordJSON.text(.record(record))
            // The JSON form of a sealed value does not contain its bytes.
            if text.contains(#"{"$sealed":true}"#) { continue }
            #expect(try RecordJSON.record(parsing: Array(text.utf8)) == record)
        }
    }

    @Test("White space, escapes and exponents are accepted")
    func otherForms() throws {
        #expect(try parsed(" { \"\\u0061\" : [ 1E2 , -0 ] }\r\n") == .record(["a": .array([.real(100), .integer(0)])]))
        #expect(try parsed(#"{"$date":"2026-11-21T17:00:00+09:00"}"#) == .date(Timestamp(seconds: 1_795_248_000)))
    }

    @Test(
        "An error names the path or the position",
        arguments: [
            ("", "not JSON: a value is missing or not valid JSON (at byte 0)"),
            ("dark", "not JSON: a value is not valid JSON; write text in double quotes (at byte 0)"),
            ("[1,]", "not JSON: a value is missing or not valid JSON (at byte 3)"),
            ("01", "not JSON: nothing may follow the value (at byte 1)"),
            (#"{"a" 1}"#, #"not JSON: a colon is missing after the name "a" (at byte 5)"#),
            (#""\u{7}""#, "not JSON: four hexadecimal digits must follow"),
            ("\"a\u{1}\"", "not JSON: a string contains a control character"),
            ("null", "null cannot be stored; omit the member"),
            (#"{"a":[1,{"b":null}]}"#, "a[1].b: null cannot be stored; omit the member"),
            (#"{"a":1,"a":2}"#, #"not JSON: the member "a" occurs twice (at byte 7)"#),
            (#"{"":1}"#, "the name of a member is empty"),
            ("9223372036854775808", "9223372036854775808 is beyond 64 bits; write it as a real or a string"),
            ("1e999", "1e999 is beyond the range of reals"), (#"{"$data":"?"}"#, "$data: expected base64 with padding"),
            (#"{"a":{"$date":"2026-13-01T00:00:00Z"}}"#, "a.$date: "),
            (#"{"$date":[1,1000000000]}"#, "$date: expected the seconds"),
            (#"{"$real":1}"#, "$real: see profile-cli record --help"),
        ])
    func errors(_ text: String, _ message: String) throws {
        let error = #expect(throws: UserProfileDomain.ValidationError.self) { try parsed(text) }
        let description = try #require(error?.description)
        #expect(description.contains("is not a value: \(message)"), "\(description)")
    }

    @Test("A record is an object, and deep nesting is an error")
    func limits() throws {
        #expect(throws: UserProfileDomain.ValidationError.self) { try RecordJSON.record(parsing: Array("[]".utf8)) }
        for depth in [101, 100_000] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(throws: UserProfileDomain.ValidationError.self) { try parsed(text) }
        }
        // A record of the greatest depth that a store accepts.
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(RecordJSON.text(try parsed(deep)) == deep)
        #expect(throws: UserProfileDomain.ValidationError.self) {
            try RecordJSON.record(parsing: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
        }
    }
}
