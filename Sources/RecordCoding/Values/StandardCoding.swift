import DataStoreCore
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The types whose stored form this module determines, such as `Date` and `URL`.
///
/// For these types, the coders always use the conformances to ``RecordValueConvertible`` in this module, so the stored
/// form does not depend on the modules that a program links. For any other type, the coders look up a conformance at
/// run time.
enum StandardCoding {
    /// Returns the type itself if this module determines its stored form, otherwise `nil`.
    static func of(_ type: any Any.Type) -> (any RecordValueConvertible.Type)? {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Date.self): Date.self
        case ObjectIdentifier(Data.self): Data.self
        case ObjectIdentifier(Decimal.self): Decimal.self
        case ObjectIdentifier(URL.self): URL.self
        case ObjectIdentifier(UUID.self): UUID.self
        case ObjectIdentifier(Instant.self): Instant.self
        case ObjectIdentifier([UInt8].self): [UInt8].self
        default: nil
        }
    }
}

extension RecordValueConvertible {
    /// Returns the stored value of an instance of this type, or `nil` if its Codable form must be stored.
    static func recordValue(of content: some Any) -> Value? { (content as? Self)?.recordValue }
}
