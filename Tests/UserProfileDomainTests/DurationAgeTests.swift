import Testing
import UserProfileDomain

@Suite struct DurationAgeTests {
    @Test(
        "A number with a unit is an age",
        arguments: [
            ("0", 0, "0 seconds"), ("1s", 1, "1 second"), ("59", 59, "59 seconds"), ("90s", 90, "1 minute"),
            ("30m", 1800, "30 minutes"), ("2h", 7200, "2 hours"), ("25h", 90_000, "1 day"), ("7d", 604_800, "7 days"),
            ("999999999d", 86_399_999_913_600, "999999999 days"),
        ])
    func validAge(_ text: String, _ seconds: Int, _ words: String) throws {
        let age = try Duration(age: text)
        #expect(age == .seconds(seconds))
        #expect(age.ageDescription == words)
    }

    @Test(
        "A text that is not an age is rejected",
        arguments: ["", "h", "-1", "1.5h", "1w", "１", "1 h", "1H", "+1", "1000000000"])
    func invalidAge(_ text: String) throws {
        try InvalidText(text, "whole number", at: nil).check(.age) { try Duration(age: $0) }
    }
}
