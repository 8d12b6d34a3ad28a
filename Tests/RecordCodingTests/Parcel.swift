import DataStoreTesting
import Foundation
import RecordCoding

/// A struct with a property of every kind that occurs in Codable types.
struct Parcel: Codable, Equatable, Identifiable, Sendable {
    enum Size: String, Codable, CaseIterable { case small, large }

    enum Content: Codable, Equatable, Sendable {
        case nothing
        case text(String)
        case box(label: String, parts: [Content])
        indirect case wrapped(Content?)
    }

    struct Weight: RawRepresentable, Codable, Equatable, Sendable {
        var rawValue: Int8
    }

    var text = ""
    var flag = false
    var whole = 0
    var small: UInt8 = 0
    var huge: UInt64 = 0
    var wide: Int128 = 0
    var wider: [UInt128] = []
    var widest: UInt128?
    var real = 0.0
    var single: Float = 0
    var size = Size.small
    var weight = Weight(rawValue: 0)
    var content = Content.nothing
    var note: String?
    var noteOfNote: String??
    var words: [String] = []
    var gaps: [Int?] = []
    var grid: [[Int]] = []
    var byName: [String: Int?] = [:]
    var byNumber: [Int: String] = [:]
    var bySize: [Size: Int] = [:]
    var numbers: Set<Int> = []
    var data = Data()
    var bytes: [UInt8] = []
    var date = Date(timeIntervalSince1970: 0)
    var id = UUID()
    var parts: [Parcel] = []

    /// Returns a random parcel that contains other parcels.
    ///
    /// - Parameters:
    ///   - generator: The random number generator.
    ///   - isPlain: Whether to omit values that JSON cannot represent.
    ///   - depth: The nesting depth of the parcel.
    /// - Returns: The parcel.
    static func random(using generator: inout SeededGenerator, isPlain: Bool = false, depth: Int = 0) -> Parcel {
        func count() -> Int { Int.random(in: 0...3, using: &generator) }
        func text() -> String {
            let odd = ["", "$", "$null", "$a", "é", "e\u{301}", "😀", "\u{1}\n", "a.b[0]", "super", "id"]
            return (odd + ["abc", "x"]).randomElement(using: &generator) ?? ""
        }
        func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            [0, 1, .min, .max, .random(in: .min ... .max, using: &generator)].randomElement(using: &generator) ?? 0
        }
        func content(_ depth: Int) -> Content {
            switch Int.random(in: 0..<(depth < 3 ? 4 : 2), using: &generator) {
            case 0: .nothing
            case 1: .text(text())
            case 2: .box(label: text(), parts: (0..<count()).map { _ in content(depth + 1) })
            default: .wrapped(Bool.random(using: &generator) ? nil : content(depth + 1))
            }
        }
        var parcel = Parcel(id: UUID())
        parcel.text = text()
        parcel.flag = .random(using: &generator)
        parcel.small = number(UInt8.self)
        parcel.size = Size.allCases.randomElement(using: &generator) ?? .small
        parcel.weight = Weight(rawValue: number(Int8.self))
        parcel.content = content(0)
        parcel.note = Bool.random(using: &generator) ? nil : text()
        parcel.words = (0..<count()).map { _ in text() }
        parcel.gaps = (0..<count()).map { _ in Bool.random(using: &generator) ? nil : 7 }
        parcel.grid = (0..<count()).map { _ in (0..<count()).map { _ in 1 } }
        for _ in 0..<count() { parcel.byName[text()] = Bool.random(using: &generator) ? .some(nil) : 1 }
        for _ in 0..<count() { parcel.byNumber[number(Int.self)] = text() }
        parcel.bySize = Bool.random(using: &generator) ? [:] : [.small: 1]
        parcel.numbers = Set((0..<count()).map { _ in number(Int16.self) }.map(Int.init))
        if !isPlain {
            parcel.whole = number(Int.self)
            parcel.huge = number(UInt64.self)
            parcel.wide = number(Int128.self)
            parcel.wider = (0..<count()).map { _ in number(UInt128.self) }
            parcel.widest = number(UInt128.self)
            parcel.real =
                [0, -0.0, .infinity, 0.1, Double(bitPattern: generator.next())]
                .filter { !$0.isNaN }.randomElement(using: &generator) ?? 0
            parcel.single = Float(bitPattern: UInt32.random(in: 0..<0x7F80_0000, using: &generator))
            parcel.data = Data((0..<count()).map { _ in number(UInt8.self) })
            parcel.bytes = (0..<count()).map { _ in number(UInt8.self) }
            parcel.date = Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &generator))
            if Bool.random(using: &generator) { parcel.date = Date(timeIntervalSinceReferenceDate: .pi) }
        }
        if depth < 2 {
            parcel.parts = (0..<count()).map { _ in random(using: &generator, isPlain: isPlain, depth: depth + 1) }
        }
        return parcel
    }
}
