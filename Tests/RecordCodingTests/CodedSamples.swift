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
        /// The recorded digest of the encoded records.
        let digest: UInt64?
        /// Returns the record of a random value, and whether decoding it returns an equal value with an equal record.
        let coded: @Sendable (inout SampleGenerator) throws -> (record: Record, isEqual: Bool)
    }

    /// The digests are those of 100 values of the seed 1. They were computed with the coder that encoded values through
    /// trees, before the one that encodes bytes was written, except for `TypedID`, which that coder stored as a record.
    /// Sets, and dictionaries that are stored as arrays, have no order, and thus no digest.
    static let all: [Sample] = [
        sample(Bool.self, 0xb8a1e0707c8b5acf),
        sample(Int.self, 0xb74cfb7186b41043),
        sample(Int8.self, 0x3058a9edc5657998),
        sample(UInt16.self, 0xe55449f484d4995e),
        sample(Int64.self, 0xb74cfb7186b41043),
        sample(UInt64.self, 0xfc6a3258764d68f9),
        sample(Int128.self, 0x6fa48a7f67cda6c1),
        sample(Float.self, 0xbe792fcdc9becedd),
        sample(Double.self, 0xa3940b017f09ee90),
        sample(String.self, 0xebab07e070de7b1c),
        sample(Date.self, 0xbb02304902fcc424),
        sample(UUID.self, 0xbdcf3aa831c212cd),
        sample(Data.self, 0xa2808ac05f7ad2f9),
        sample(URL.self, 0x3869fffe8c2b0755),
        sample(Decimal.self, 0x15b412644083b5ff),
        sample(Instant.self, 0xc6115fc42b49895a),
        sample([UInt8].self, 0xa2808ac05f7ad2f9),
        sample([String].self, 0x2477e24cbdd4d497),
        sample([UUID].self, 0x5cc6cd0cfde1b55c),
        sample([Date?].self, 0xf8b357091a14507e),
        sample([[Int]].self, 0xecb48d4332b3e9ea),
        sample(Set<Int>.self, nil),
        sample(Int?.self, 0xe268fdbd58b8f3a0),
        sample([String: Int].self, 0xc74f83612fa2401f),
        sample([String: [Double]].self, 0x5dd82bc1af6bcaed),
        sample([Int: String].self, 0xa2646a8fb4d370ba),
        sample(Suit.self, 0x6a3cb4a99581201d),
        sample(Level.self, 0x2aa6484bbacb6283),
        sample(Shape.self, 0x958e26f421e572ac),
        sample(Renamed.self, 0xa3a443354796a6b5),
        sample(TypedID.self, 0xbdcf3aa831c212cd),
        sample(Pair<String, Date?>.self, 0x1aa9355ebef0c91b),
        sample(Unkeyed.self, 0xa87082f2fb4817af),
        sample(Single.self, 0x25b40c18dc3d2207),
        sample(Flattened.self, 0x7b768c39c194f365),
        sample(Puppy.self, 0xa27b19a3bc607411),
        sample(Wrapped.self, 0x1a918497204c2f7d),
        sample(Nothing.self, 0xd5eb6824f61701e4),
        sample(Tree.self, 0xb63a28c4c3c1955b),
        sample(OddKeys.self, 0x6ad380c5dea53256),
        sample(ClosedRange<Int>.self, 0x2e9b5cae0bd8478c),
        sample(ContiguousArray<Double>.self, 0x39a4cd1e2198d7d3),
        sample(Duration.self, 0x78959284f5cb5694),
        sample([Shape].self, 0x8ada3cb2bf083392),
        sample([Suit: Int].self, nil),
    ]

    private static func sample<Content: RandomContent>(_ type: Content.Type, _ digest: UInt64?) -> Sample {
        Sample(name: "\(type)", digest: digest) { generator in
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
