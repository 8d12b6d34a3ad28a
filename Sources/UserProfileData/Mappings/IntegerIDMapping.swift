package import DataStoreQueries

/// A mapping of entities whose ids may be integers. Lists and queries sort integer ids as numbers. The keys of records
/// are texts and are sorted as bytes, so `10` comes before `9`.
package protocol IntegerIDMapping: Sendable {
    /// The record field that contains the id as an integer, or `nil` if the ids are not integers and are sorted as
    /// texts.
    var integerIDField: QueryField? { get }
}
