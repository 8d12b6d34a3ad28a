/// The identity of one state of all index catalogues in a store, i.e. of the records in
/// ``IndexCatalogueRecord/collection``.
///
/// If two transactions have the same object, they see equal catalogues. A write can then use what an earlier write
/// derived from a catalogue, without reading it again.
package final class CatalogueVersion: Sendable {
    /// Creates the identity of a state that no transaction has seen before.
    package init() {}
}
