import Testing
import UserProfileDomain

@Suite("The weather of a city")
struct WeatherTests {
    @Test(
        "has its days in the order of their dates",
        arguments: [
            [], ["2016-11-28"], ["2016-11-28", "2016-11-29", "2016-11-30"], ["2016-11-30", "2016-11-29", "2016-11-28"],
            ["2017-01-01", "2016-12-31", "2017-01-02"],
        ])
    func daysAreSorted(dates: [String]) throws {
        let forecasts = try dates.map { Forecast(date: try CalendarDate($0), dateLabel: "", telop: "") }
        let weather = Weather(
            id: try CityCode("130010"), title: "", publishedAt: Instant(seconds: 0), description: nil,
            forecasts: forecasts)
        // The text of a date sorts as the date does.
        #expect(weather.forecasts.map(\.date.description) == dates.sorted())
    }

    @Test("has the values that it was created with")
    func isKept() throws {
        let forecast = Forecast(
            date: try CalendarDate("2016-11-28"), dateLabel: "今日", telop: "晴時々曇",
            lowest: try Temperature(celsius: -1.5), highest: try Temperature(celsius: 6),
            imageURL: "https://example.com/2.gif")
        let weather = Weather(
            id: try CityCode("130010"), title: "東京都 東京 の天気",
            publishedAt: try Instant("2016-11-28T17:00:00+0900"), description: "高気圧に覆われています。", forecasts: [forecast])
        #expect(weather.id.text == "130010")
        #expect(weather.title == "東京都 東京 の天気")
        #expect(weather.publishedAt.description == "2016-11-28T08:00:00Z")
        #expect(weather.description == "高気圧に覆われています。")
        #expect(weather.forecasts == [forecast])
        #expect(forecast.dateLabel == "今日")
        #expect(forecast.telop == "晴時々曇")
        #expect(forecast.lowest?.celsius == -1.5)
        #expect(forecast.highest?.celsius == 6)
        #expect(forecast.imageURL == "https://example.com/2.gif")
    }
}
