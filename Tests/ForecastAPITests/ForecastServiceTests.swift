import ForecastAPI
import Testing
import UserProfileDomain

@Suite struct ForecastServiceTests {
    @Test(arguments: ForecastService.Shape.allCases)
    func isEncryptedUnlessToldOtherwise(_ shape: ForecastService.Shape) throws {
        #expect(try ForecastService(shape).baseURL.hasPrefix("https://"))
    }

    @Test(arguments: [
        ("", "https://HOST"), ("weather.example", "https://HOST"), ("ftp://weather.example", "https://HOST"),
        ("file:///etc/passwd", "https://HOST"), ("https://", "host"), ("https:///path", "host"),
        ("https://me:secret@weather.example", "password"), ("https://weather.example?city=1", "path"),
        ("https://weather.example#x", "path"),
    ])
    func whatIsNoAddressIsRefused(_ text: String, _ words: String) throws {
        let error = #expect(throws: ValidationError.self) { try ForecastService(baseURL: text) }
        #expect(error?.subject == .webAddress && error?.given == text)
        #expect(error?.rule.contains(words) == true)
    }
}
