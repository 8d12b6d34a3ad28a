import Foundation
import UserProfileDomain

/// A Codable type with random values.
protocol RandomContent: Codable, Equatable, Sendable {
    static func random(_ generator: inout SampleGenerator) -> Self

    /// Whether equal values are always encoded in the same order.
    static var isOrdered: Bool { get }
}

extension RandomContent {
    static var isOrdered: Bool { true }
}

extension FixedWidthInteger where Self: RandomContent {
    /// A random number with a random number of significant bits.
    static func random(_ generator: inout SampleGenerator) -> Self {
        random(in: .min ... .max, using: &generator) >> random(in: 0..<Self(bitWidth), using: &generator)
    }
}

extension Int: RandomContent {}
extension Int8: RandomContent {}
extension Int64: RandomContent {}
extension Int128: RandomContent {}
extension UInt8: RandomContent {}
extension UInt16: RandomContent {}
extension UInt64: RandomContent {}

extension Bool: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Bool { random(using: &generator) }
}

extension Double: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Double {
        let number = Double(bitPattern: generator.next())
        return bool(&generator) || number.isNaN ? Double(Int.random(in: -9...9, using: &generator)) / 2 : number
    }

    private static func bool(_ generator: inout SampleGenerator) -> Bool { Bool.random(using: &generator) }
}

extension Float: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Float {
        let number = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
        return number.isNaN ? 0.5 : number
    }
}

extension String: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> String {
        let pieces = ["a", "Z", "0", " ", "é", "語", "😀", "\n", "$", "long enough for the heap", "\u{0}"]
        return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }.joined()
    }
}

extension Date: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -99_999_999_999...99_999_999_999, using: &generator)) / 8)
    }
}

extension UUID: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> UUID {
        func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &generator) }
        return UUID(
            uuid: (
                byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
                byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte()
            ))
    }
}

extension Data: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Data { Data([UInt8].random(&generator)) }
}

extension URL: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> URL {
        URL(string: "https://example.com/\(Int.random(&generator))") ?? URL(filePath: "/")
    }
}

extension Decimal: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Decimal {
        Decimal(Int.random(&generator))
            / Decimal(sign: .plus, exponent: Int.random(in: 0...9, using: &generator), significand: 1)
    }
}

extension Instant: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Instant {
        Instant(seconds: .random(in: -99_999_999_999...99_999_999_999, using: &generator))
    }
}

extension Duration: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Duration {
        .milliseconds(Int32.random(in: .min ... .max, using: &generator))
    }
}

extension Optional: RandomContent where Wrapped: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Wrapped? {
        Bool.random(using: &generator) ? Wrapped.random(&generator) : nil
    }
}

extension Array: RandomContent where Element: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> [Element] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in Element.random(&generator) }
    }
}

extension ContiguousArray: RandomContent where Element: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> ContiguousArray {
        ContiguousArray([Element].random(&generator))
    }
}

extension Set: RandomContent where Element: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Set { Set([Element].random(&generator)) }
    static var isOrdered: Bool { false }
}

extension Dictionary: RandomContent where Key: RandomContent, Value: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> [Key: Value] {
        Dictionary(
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in (.random(&generator), .random(&generator)) }
        ) { $1 }
    }
    // A dictionary whose keys are not strings is encoded as an array of keys and values.
    static var isOrdered: Bool { Key.self == String.self || Key.self == Int.self }
}

extension ClosedRange: RandomContent where Bound == Int {
    static func random(_ generator: inout SampleGenerator) -> ClosedRange {
        let lower = Int.random(in: -99...99, using: &generator)
        return lower...Int.random(in: lower...199, using: &generator)
    }
}

enum Suit: String, CaseIterable, RandomContent {
    case clubs, diamonds, hearts = "a longer name than fits in place", spades = ""
    static func random(_ generator: inout SampleGenerator) -> Suit {
        allCases[Int.random(in: 0..<4, using: &generator)]
    }
}

enum Level: Int, CaseIterable, RandomContent {
    case none, low, high = -7
    static func random(_ generator: inout SampleGenerator) -> Level {
        allCases[Int.random(in: 0..<3, using: &generator)]
    }
}

enum Shape: RandomContent {
    case point
    case circle(Double)
    case polygon(corners: [Int], name: String?)

    static func random(_ generator: inout SampleGenerator) -> Shape {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .point
        case 1: .circle(.random(&generator))
        default: .polygon(corners: .random(&generator), name: .random(&generator))
        }
    }
}

struct Renamed: RandomContent {
    var title: String
    var count: Int?
    private enum CodingKeys: String, CodingKey {
        case title = "t"
        case count = "number of things"
    }
    static func random(_ generator: inout SampleGenerator) -> Renamed {
        Renamed(title: .random(&generator), count: .random(&generator))
    }
}

struct TypedID: RawRepresentable, RandomContent {
    let rawValue: UUID
    static func random(_ generator: inout SampleGenerator) -> TypedID { TypedID(rawValue: .random(&generator)) }
}

struct Pair<First: RandomContent, Second: RandomContent>: RandomContent {
    var first: First
    var second: Second
    static func random(_ generator: inout SampleGenerator) -> Pair {
        Pair(first: .random(&generator), second: .random(&generator))
    }
}

/// A type that encodes itself as an array of different kinds.
struct Unkeyed: RandomContent {
    var text: String
    var suit: Suit?
    var inner: [Int]

    init(_ text: String, _ suit: Suit?, _ inner: [Int]) { (self.text, self.suit, self.inner) = (text, suit, inner) }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        text = try container.decode(String.self)
        suit = try container.decodeNil() ? nil : container.decode(Suit.self)
        var nested = try container.nestedUnkeyedContainer()
        inner = []
        while !nested.isAtEnd { inner.append(try nested.decode(Int.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(text)
        if let suit { try container.encode(suit) } else { try container.encodeNil() }
        var nested = container.nestedUnkeyedContainer()
        for number in inner { try nested.encode(number) }
    }

    static func random(_ generator: inout SampleGenerator) -> Unkeyed {
        Unkeyed(.random(&generator), .random(&generator), .random(&generator))
    }
}

/// A type that encodes itself as the value of another type.
struct Single: RandomContent {
    var pair: Pair<Int, String>
    init(_ pair: Pair<Int, String>) { self.pair = pair }
    init(from decoder: any Decoder) throws { pair = try decoder.singleValueContainer().decode(Pair<Int, String>.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(pair)
    }
    static func random(_ generator: inout SampleGenerator) -> Single { Single(.random(&generator)) }
}

/// A type that encodes its properties in a nested container.
struct Flattened: RandomContent {
    var city: String
    var zip: Int
    private enum Keys: String, CodingKey { case place, city, zip }
    init(_ city: String, _ zip: Int) { (self.city, self.zip) = (city, zip) }
    init(from decoder: any Decoder) throws {
        let place = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .place)
        city = try place.decode(String.self, forKey: .city)
        zip = try place.decode(Int.self, forKey: .zip)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var place = container.nestedContainer(keyedBy: Keys.self, forKey: .place)
        try place.encode(city, forKey: .city)
        try place.encode(zip, forKey: .zip)
    }
    static func random(_ generator: inout SampleGenerator) -> Flattened {
        Flattened(.random(&generator), .random(&generator))
    }
}

class Animal: Codable {
    let name: String
    init(_ name: String) { self.name = name }
}

final class Puppy: Animal, RandomContent, @unchecked Sendable {
    let age: Int
    private enum CodingKeys: CodingKey { case age }

    init(_ name: String, age: Int) {
        self.age = age
        super.init(name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(age, forKey: .age)
        try super.encode(to: container.superEncoder())
    }

    static func == (left: Puppy, right: Puppy) -> Bool { left.age == right.age && left.name == right.name }
    static func random(_ generator: inout SampleGenerator) -> Puppy {
        Puppy(.random(&generator), age: .random(&generator))
    }
}

@propertyWrapper struct Clamped: Codable, Equatable, Sendable {
    var wrappedValue: Int
}

struct Wrapped: RandomContent {
    @Clamped var percent: Int
    static func random(_ generator: inout SampleGenerator) -> Wrapped {
        Wrapped(percent: .random(in: 0...100, using: &generator))
    }
}

struct Nothing: RandomContent {
    static func random(_ generator: inout SampleGenerator) -> Nothing { Nothing() }
}

struct Tree: RandomContent {
    var value: Int
    var branches: [Tree]
    static func random(_ generator: inout SampleGenerator) -> Tree { random(&generator, depth: 4) }
    private static func random(_ generator: inout SampleGenerator, depth: Int) -> Tree {
        let count = depth == 0 ? 0 : Int.random(in: 0...2, using: &generator)
        return Tree(value: .random(&generator), branches: (0..<count).map { _ in random(&generator, depth: depth - 1) })
    }
}

struct OddKeys: RandomContent {
    var empty: Int
    var dollar: String
    var null: Bool?
    private enum CodingKeys: String, CodingKey {
        case empty = ""
        case dollar = "$value"
        case null = "$null"
    }
    static func random(_ generator: inout SampleGenerator) -> OddKeys {
        OddKeys(empty: .random(&generator), dollar: .random(&generator), null: .random(&generator))
    }
}
