import DataStoreCore
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Random values of Codable types of every structure, each as the property of an entity.
enum CodedSamples {
    /// A type, and closures that create a random value, encode it, and decode it again.
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String { name }

        let name: String
        /// Returns the record of a random value, and whether decoding it returns an equal value with an equal record.
        let coded: @Sendable (inout SampleGenerator) throws -> (record: Record, isEqual: Bool)
    }

    static let all: [Sample] = [
        sample(Bool.self), sample(Int.self), sample(Int8.self), sample(UInt16.self), sample(Int64.self),
        sample(UInt64.self), sample(Int128.self), sample(Float.self), sample(Double.self), sample(String.self),
        sample(Date.self), sample(UUID.self), sample(Data.self), sample(URL.self), sample(Decimal.self),
        sample(Instant.self), sample([UInt8].self), sample([String].self), sample([UUID].self), sample([Date?].self),
        sample([[Int]].self), sample(Set<Int>.self), sample(Int?.self), sample([String: Int].self),
        sample([String: [Double]].self), sample([Int: String].self), sample(Suit.self), sample(Level.self),
        sample(Shape.self), sample(Renamed.self), sample(TypedID.self), sample(Pair<String, Date?>.self),
        sample(Unkeyed.self), sample(Single.self), sample(Flattened.self), sample(Puppy.self), sample(Wrapped.self),
        sample(Nothing.self), sample(Tree.self), sample(OddKeys.self), sample(ClosedRange<Int>.self),
        sample(ContiguousArray<Double>.self), sample(Duration.self), sample([Shape].self), sample([Suit: Int].self),
    ]

    private static func sample<Content: RandomContent>(_ type: Content.Type) -> Sample {
        Sample(name: "\(type)") { generator in
            let mapping = Holder<Content>.mapping(in: "samples")
            let holder = Holder(id: Int.random(in: 0...9, using: &generator), content: Content.random(&generator))
            let record = try mapping.record(of: holder)
            let decoded = try mapping.entity(of: RecordView(record), id: holder.id)
            return (record, try decoded == holder && (mapping.record(of: decoded) == record || !Content.isOrdered))
        }
    }

    private struct Holder<Content: RandomContent>: Codable, Identifiable, Equatable, Sendable {
        let id: Int
        var content: Content
    }
}

/// A generator of reproducible numbers (SplitMix64).
struct SampleGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
