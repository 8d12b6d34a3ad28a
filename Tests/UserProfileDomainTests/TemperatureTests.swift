import Testing
import UserProfileDomain

@Suite("A temperature")
struct TemperatureTests {
    @Test(
        "is read from a decimal number and written with its unit",
        arguments: [
            ("6", 6, "6 °C"), ("-1.5", -1.5, "-1.5 °C"), ("0", 0, "0 °C"), ("-0", 0, "0 °C"), ("-0.0", 0, "0 °C"),
            ("+6", 6, "6 °C"), ("06.50", 6.5, "6.5 °C"), ("-273.15", -273.15, "-273.15 °C"),
            ("1000000000000000000000", 1e21, "1e+21 °C"),
        ] as [(String, Double, String)])
    func isRead(text: String, celsius: Double, description: String) throws {
        let temperature = try Temperature(celsius: text)
        #expect(temperature.celsius == celsius)
        #expect(temperature.description == description)
        #expect(try Temperature(celsius: celsius) == temperature)
    }

    @Test(
        "is rejected if the text is not such a number",
        arguments: [
            InvalidText("", "decimal number", at: nil), InvalidText(" 6", "decimal number", at: nil),
            InvalidText("6 ", "decimal number", at: nil), InvalidText("6°", "decimal number", at: nil),
            InvalidText("６", "decimal number", at: nil), InvalidText("6,5", "decimal number", at: nil),
            InvalidText("--6", "decimal number", at: nil), InvalidText("6-", "decimal number", at: nil),
            InvalidText("1.2.3", "decimal number", at: nil), InvalidText(".", "decimal number", at: nil),
            InvalidText("-", "decimal number", at: nil), InvalidText("0x10", "decimal number", at: nil),
            InvalidText("1e2", "decimal number", at: nil), InvalidText("nan", "decimal number", at: nil),
            InvalidText("inf", "decimal number", at: nil), InvalidText("６\u{301}", "decimal number", at: nil),
            InvalidText("-273.16", "absolute zero", at: nil),
            InvalidText(String(repeating: "9", count: 400), "finite", at: nil),
            InvalidText("-" + String(repeating: "9", count: 400), "finite", at: nil),
        ])
    func isRejected(_ text: InvalidText) throws {
        try text.check(.temperature) { try Temperature(celsius: $0) }
    }

    @Test(
        "is rejected if it is not a number",
        arguments: [
            (.nan, "finite"), (.infinity, "finite"), (-.infinity, "finite"), ((-273.15).nextDown, "absolute zero"),
        ] as [(Double, String)])
    func numberIsRejected(celsius: Double, fragment: String) throws {
        try InvalidText("\(celsius)", fragment, at: nil).check(.temperature) { _ in try Temperature(celsius: celsius) }
    }

    @Test("of zero is the same with either sign")
    func zero() throws {
        #expect(try Temperature(celsius: -0.0).celsius.sign == .plus)
    }

    @Test(
        "has the degrees Fahrenheit that the services publish, not 78.80000000000001",
        arguments: [
            (6, 42.8), (26, 78.8), (31, 87.8), (37, 98.6), (-12, 10.4), (-1.5, 29.3), (0, 32), (100, 212), (-40, -40),
        ] as [(Double, Double)])
    func fahrenheit(celsius: Double, fahrenheit: Double) throws {
        #expect(try Temperature(celsius: celsius).fahrenheit == fahrenheit)
    }

    @Test("is less than a warmer one")
    func order() throws {
        let temperatures = try [-273.15, -1.5, 0, 0.5, 6].map { try Temperature(celsius: $0) }
        #expect(temperatures.reversed().sorted() == temperatures)
    }
}
