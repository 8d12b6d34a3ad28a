package import DataStoreCore

/// A place for a store that programs are killed on.
package protocol TortureSubject: AnyObject, Sendable {
    /// What tells the program which store it is.
    var storeArguments: [String] { get }

    /// Where the store is.
    var path: String { get }

    /// Opens the store.
    func open() async throws -> any DataStore

    /// What is wrong with the files of the store, which is open.
    func findings(of store: any DataStore) async throws -> [String]
}
