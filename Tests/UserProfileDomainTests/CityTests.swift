import Testing
import UserProfileDomain

@Suite struct CityTests {
    @Test("The list of cities is complete")
    func completeList() throws {
        #expect(City.all.count == 142)
        #expect(City.all.map(\.code) == City.all.map(\.code).sorted())
        #expect(Set(City.all.map(\.code)).count == 142)
        #expect(City.all.count { $0.prefectureOffice != nil } == 47)
        for city in City.all {
            let code = try CityCode(city.code.text)
            #expect(code == city.code && !city.region.isEmpty && !city.name.isEmpty)
        }
        #expect(City.all.first?.name == "稚内")
        #expect(City.all.last?.name == "与那国島")
    }

    @Test(
        "A text finds cities by code, name and prefecture",
        arguments: [
            ("", 142), ("13", 4), ("130010", 1), ("東京", 4), ("島", 24), ("沖縄県 那覇", 1), ("Tokyo", 0), ("999999", 0),
        ])
    func search(_ text: String, _ count: Int) {
        #expect(City.matching(text).count == count)
    }

    @Test(
        "A code or an unambiguous name is a city",
        arguments: [
            ("130010", "130010"), ("016010", "016010"), ("999999", "999999"), ("東京", "130010"), ("大阪府", "270000"),
            ("宮古", "030020"), ("宮古島", "473000"), ("山口県 下関", "350010"), ("与那国", "474020"), ("津", "240010"),
        ])
    func unambiguousName(_ text: String, _ code: String) throws {
        #expect(try CityCode(codeOrName: text).text == code)
    }

    @Test(
        "A name of several cities is rejected",
        arguments: [
            InvalidText("島根県", "3 cities, 松江 (320010)", at: nil), InvalidText("島", "and others", at: nil),
            InvalidText("京", "6 cities", at: nil), InvalidText("Paris", "no city has this name", at: nil),
        ])
    func ambiguousName(_ text: InvalidText) throws {
        try text.check(.city) { try CityCode(codeOrName: $0) }
    }

    @Test("An invalid code is not searched as a name")
    func brokenCode() {
        #expect(throws: ValidationError.self) { try CityCode(codeOrName: "13001") }
    }
}
