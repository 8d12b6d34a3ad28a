package import DataStoreQueries

/// A mapping whose entities may have integers as ids, which are in the order of the numbers. (The texts of ids, and
/// with them the keys of records, have another order: 10 comes before 9.)
package protocol IntegerIDMapping: Sendable {
    /// The field of records that contains the id as an integer, or `nil` if ids are in the order of their texts.
    var integerIDField: QueryField? { get }
}
