package import DataStoreQueries

/// A mapping of entities whose ids may be integers.
///
/// The keys of records are texts and are sorted as bytes, so `10` comes before `9`. To sort integer ids as numbers,
/// lists and queries sort by the field ``integerIDField``.
package protocol IntegerIDMapping: Sendable {
    /// The record field that contains the id as an integer, or `nil` if the ids are not integers and are sorted as
    /// texts.
    var integerIDField: QueryField? { get }
}
