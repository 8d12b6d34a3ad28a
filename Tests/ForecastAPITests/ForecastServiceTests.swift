import ForecastAPI
import Testing
import UserProfileDomain

@Suite struct ForecastServiceTests {
    @Test("A service uses HTTPS unless its URL specifies HTTP", arguments: ForecastService.Provider.allCases)
    func encryption(_ provider: ForecastService.Provider) throws {
        #expect(try ForecastService(provider).baseURL.hasPrefix("https://"))
    }

    @Test(
        "An invalid URL is rejected",
        arguments: [
            ("", "https://HOST"), ("weather.example", "https://HOST"), ("ftp://weather.example", "https://HOST"),
            ("file:///etc/passwd", "https://HOST"), ("https://", "host"), ("https:///path", "host"),
            ("https://me:secret@weather.example", "password"), ("https://weather.example?city=1", "query"),
            ("https://weather.example#x", "fragment"), ("https://weather.example:0", "port"),
            ("https://weather.example:65536", "port"), ("https://weather.example/a b", "visible ASCII"),
            ("https://weather.example/a\n", "visible ASCII"), ("https://exämple.jp", "xn--"),
        ])
    func invalidURL(_ text: String, _ words: String) throws {
        let error = #expect(throws: ValidationError.self) { try ForecastService(baseURL: text) }
        #expect(error?.subject == .webAddress && error?.given == text)
        #expect(error?.rule.contains(words) == true)
    }
}
