/// The identity of one state of all index catalogues in a store, i.e. of the records in
/// ``IndexCatalogueRecord/collection``.
///
/// Two transactions with the same object see equal catalogues. A transaction can therefore reuse values that an earlier
/// transaction derived from a catalogue, and need not read the catalogue again.
package final class CatalogueVersion: Sendable {
    /// Creates the identity of a state that no transaction has seen before.
    package init() {}
}
