import DataStoreTesting
import DataStoreCore
import Testing

@Suite("Comparing keys")
struct KeyComparisonTests {
    @Test("Keys of every length are compared by their unsigned bytes", arguments: 0...20)
    func order(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        for otherCount in 0...20 {
            for _ in 0..<20 {
                // Two values of a byte make long common beginnings likely.
                let left = (0..<count).map { _ in Bool.random(using: &generator) ? 0x7F : 0x80 as UInt8 }
                var right = (0..<otherCount).map { _ in Bool.random(using: &generator) ? 0x7F : 0x80 as UInt8 }
                for index in 0..<Int.random(in: 0...min(count, otherCount), using: &generator) {
                    right[index] = left[index]
                }
                #expect(left.span.precedes(right.span) == left.lexicographicallyPrecedes(right))
            }
        }
    }
}
