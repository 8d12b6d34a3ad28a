import Testing
import UserProfileDomain

@Suite struct FilterTests {
    @Test("A query is written with key paths and operators")
    func keyPaths() throws {
        let (address, day) = (try MailAddress("vision@example.com"), try Birthday("2011-08-01"))
        let query = Query<User>(
            where: \.mailAddress == address && \.birthday < day,
            sort: [.ascending(\.birthday), .descending(\.mailAddress)],
            limit: 50)
        #expect(
            try query.filter?.translated(by: FilterText())
                == "(mailAddress equal text(\"vision@example.com\") and birthday less text(\"2011-08-01\"))")
        #expect(query.sort.map(\.field) == ["birthday", "mailAddress"])
        #expect(query.sort.map(\.isDescending) == [false, true])
        #expect(query.limit == 50 && query.cursor == nil)
    }

    @Test("Each kind of condition is passed to a translator")
    func translation() throws {
        let (first, last) = (try Birthday("1990-01-01"), try Birthday("1999-12-31"))
        let filters: [(Filter<User>, String)] = [
            (\.birthday != first, "birthday notEqual text(\"1990-01-01\")"),
            (\.birthday <= first, "birthday lessOrEqual text(\"1990-01-01\")"),
            (\.birthday > first, "birthday greater text(\"1990-01-01\")"),
            (\.birthday >= first, "birthday greaterOrEqual text(\"1990-01-01\")"),
            (.between(\.birthday, first, last), "birthday in text(\"1990-01-01\")...text(\"1999-12-31\")"),
            (.isIn(\.id, [.me]), #"id in ["text(\"me\")"]"#),
            (.begins(\.mailAddress, with: "vision@"), "mailAddress begins vision@"),
            (.begins(\.mailAddress, with: "V", ignoringCase: true), "mailAddress begins V (any case)"),
            (.contains(\.id, "é"), "id contains é"),
            (.contains(\.id, "é", ignoringCase: true), "id contains é (any case)"),
            (.ends(\.mailAddress, with: ".com"), "mailAddress ends .com"),
            (.like(\.mailAddress, "v*"), "mailAddress like v*"),
            (.equals(\.id, ignoringCase: "É"), "id equals É (any case)"),
            (\.birthday == nil, "not birthday exists"),
            (.exists(\.birthday) || .exists(\.mailAddress), "(birthday exists or mailAddress exists)"),
        ]
        for (filter, text) in filters { #expect(try filter.translated(by: FilterText()) == text) }
    }

    @Test("A condition on a part is translated with a translator for the fields of the part")
    func translationOfParts() throws {
        let limit = try Temperature(celsius: 3)
        let rain: Filter<Weather> = .any(\.forecasts, .contains(\.telop, "雨") && \.highest > limit)
        #expect(
            try rain.translated(by: FilterText())
                == "any forecasts: (telop contains 雨 and highest greater real(3.0))")
    }

    @Test("A translator can reject a field")
    func rejectedField() {
        let filter: Filter<User> = \.birthday == nil && !(.exists(\.monthDay))
        let error = #expect(throws: RepositoryError.self) { try filter.translated(by: FilterText()) }
        #expect(error?.message == "the field monthDay is unknown")
    }

    @Test(
        "Equal mail addresses have the same operand",
        arguments: [("a@EXAMPLE.com", "a@example.COM"), ("\"a@B\"@X.example", "\"a@B\"@x.example")])
    func equalAddresses(_ left: String, _ right: String) throws {
        let (left, right) = (try MailAddress(left), try MailAddress(right))
        #expect(left == right && left.operand == right.operand)
    }

    @Test("Mail addresses with different local parts have different operands")
    func differentAddresses() throws {
        #expect(try MailAddress("A@example.com").operand != MailAddress("a@example.com").operand)
        #expect(try MailAddress("\"a@B\"@x.example").operand != MailAddress("\"a@b\"@x.example").operand)
    }

    @Test("A month and day is parsed and printed")
    func monthDay() throws {
        for text in ["01-01", "02-29", "12-31"] { #expect(try MonthDay(text).description == text) }
        #expect(try MonthDay("02-29") < MonthDay("03-01"))
        #expect(try MonthDay(CalendarDate("2011-08-01")) == MonthDay("08-01"))
        for (text, offset) in [("02-30", 3), ("13-01", 0), ("8-1", 1), ("", 0), ("08-01-", 5), ("2011-08-01", 2)] {
            let error = #expect(throws: ValidationError.self) { try MonthDay(text) }
            #expect(error?.offset == offset && error?.given == text, "\(text): \(error as Any)")
        }
    }
}
