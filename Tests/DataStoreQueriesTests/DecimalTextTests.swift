import DataStoreQueries
import DataStoreTesting
import Foundation
import Testing

@Suite struct DecimalTextTests {
    @Test("The texts of decimal numbers sort by the numbers")
    func order() throws {
        var generator = SeededGenerator(seed: 7)
        var numbers = [
            "0", "-0.0", "007", "1.50", "1.5", "-1.5", "0.001", "-0.001", "99999999999999999999.9", "10", "9",
            "+1", "1.", ".5", "1e3", "1.5E-2", "-12.50e+1", "0.00012e4", "1e20", "1e-07", "0e0",
        ]
        for _ in 0..<300 {
            let whole = Int.random(in: -1200...1200, using: &generator)
            numbers.append("\(whole).\(Int.random(in: 0...9999, using: &generator))")
        }
        let texts = try numbers.map { number in
            (try #require(Decimal(string: number)), try #require(number.sortableDecimal))
        }
        for (left, leftText) in texts {
            #expect(leftText.decimalOfSortable.flatMap { Decimal(string: $0) } == left)
            for (right, rightText) in texts {
                #expect(leftText.utf8.lexicographicallyPrecedes(rightText.utf8) == (left < right))
                #expect((leftText == rightText) == (left == right))
            }
        }
    }

    @Test(
        "Other text is not a decimal number",
        arguments: [
            "", "-", "+", ".", "e5", "1e", "1e+", "1e5.0", "1e5e5", "+-1", "1.2.3", " 1", "NaN", "inf", "1e4001", "1,5",
            "1e-4002", "1e99999999999999999999", "1x", "0x10", "１",
        ])
    func others(_ text: String) { #expect(text.sortableDecimal == nil) }
}
