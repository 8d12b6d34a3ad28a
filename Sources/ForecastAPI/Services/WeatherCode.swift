/// The Japanese descriptions of the weather codes of Open-Meteo, which are a part of WMO code table 4677.
enum WeatherCode {
    /// Returns the description of a code. If the table does not contain the code, the description contains its number.
    static func description(for code: Int) -> String { table[code] ?? "天気コード\(code)" }

    private static let table: [Int: String] = [
        0: "快晴", 1: "晴れ", 2: "一部曇り", 3: "曇り", 45: "霧", 48: "着氷性の霧", 51: "弱い霧雨", 53: "霧雨", 55: "強い霧雨",
        56: "着氷性の弱い霧雨", 57: "着氷性の強い霧雨", 61: "弱い雨", 63: "雨", 65: "強い雨", 66: "着氷性の弱い雨", 67: "着氷性の強い雨",
        71: "弱い雪", 73: "雪", 75: "強い雪", 77: "霧雪", 80: "弱いにわか雨", 81: "にわか雨", 82: "激しいにわか雨",
        85: "弱いにわか雪", 86: "強いにわか雪", 95: "雷雨", 96: "弱いひょうを伴う雷雨", 99: "強いひょうを伴う雷雨",
    ]
}
