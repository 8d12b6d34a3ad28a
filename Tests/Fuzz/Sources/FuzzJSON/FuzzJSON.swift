@testable import ForecastAPI
import FuzzSupport
@testable import UserProfileDomain

/// Reads arbitrary bytes as the response of a weather service: in the format of livedoor and its successor if the first
/// byte is even, in the format of Open-Meteo if it is odd. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe inputBytes(start, count)
    guard let first = bytes.first, let city = City.all.first?.code else { return 0 }
    let document = Array(bytes.dropFirst())
    let (once, again) = (read(document, first.isMultiple(of: 2), city), read(document, first.isMultiple(of: 2), city))
    require(once == again, "the same document is read as something else the second time")
    switch once {
    case .success(let decoded):
        let weather = decoded.weather
        require(!weather.forecasts.isEmpty, "a document without a readable day is not an error")
        require(decoded.warnings.allSatisfy { $0.path != nil }, "a warning does not name the member")
        require(weather.id == city && weather.receipt == nil, "the weather is of another city")
        let dates = weather.forecasts.map(\.date)
        require(dates == dates.sorted(), "the days are out of order")
        for day in weather.forecasts {
            let degrees = [day.lowest, day.highest].compactMap { $0?.celsius }
            require(degrees.allSatisfy { $0.isFinite && $0 >= -273.15 }, "a temperature is out of range")
        }
    case .failure(let error):
        require(error.subject.name == "a weather document", "the error has another subject: \(error)")
        require(!error.rule.isEmpty && error.given.unicodeScalars.count <= 80, "the error has no rule or a long quote")
    }
    return 0
}

/// Returns the weather in a document and the warnings.
private func read(
    _ document: [UInt8], _ isLivedoor: Bool, _ city: CityCode
) -> Result<DecodedWeather, ValidationError> {
    do throws(ValidationError) {
        if isLivedoor { return .success(try DecodedWeather(livedoor: document, for: city)) }
        return .success(
            try DecodedWeather(openMeteo: document, for: city, respondedAt: Instant(seconds: 1_700_000_000)))
    } catch {
        return .failure(error)
    }
}
