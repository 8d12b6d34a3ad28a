import FuzzSupport
@testable import ProfileFormats
@testable import UserProfileDomain

/// Reads arbitrary text as the condition and as the sort of a query. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzQuery(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: unsafe inputBytes(start, count), as: UTF8.self)
    if let filter = value(of: text, Filter<User>.init(parsing:)) {
        let written = QueryText.condition(filter.term)
        let read = value(of: written, Filter<User>.init(parsing:))
        require(read == filter, "\(filter.term), written as \(written), is read as another condition")
    }
    if let sort = value(of: text, Sort<User>.parse) {
        let written = QueryText.sort(sort)
        require(value(of: written, Sort<User>.parse) == sort, "\(written) is read as another sort")
    }
    let weather = value(of: text, Filter<Weather>.init(parsingWeather:))
    require(weather == value(of: text, Filter<Weather>.init(parsingWeather:)), "\(text) is read as another condition")
    _ = value(of: text, Sort<Weather>.parseWeather)
    return 0
}

/// Returns the value of a text, and checks that an error shows a short part of the text with a mark below it.
private func value<Value>(of text: String, _ parse: (String) throws(QueryError) -> Value) -> Value? {
    do {
        return try parse(text)
    } catch {
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        require(lines.count == 3, "the message has \(lines.count) lines: \(error.description)")
        require(error.description.unicodeScalars.count < 4096, "the message is long: \(error.description)")
        require(lines.last?.last == "^", "the message does not end with a mark: \(error.description)")
        let isPrintable = error.description.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        require(isPrintable, "the message has control characters: \(error.description)")
        return nil
    }
}
