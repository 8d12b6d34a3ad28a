package import DataStoreCore

/// A store location for tests that kill programs.
package protocol TortureSubject: AnyObject, Sendable {
    /// The arguments that select the kind of the store.
    var storeArguments: [String] { get }

    var path: String { get }

    func open() async throws -> any DataStore

    /// Returns a sentence for each problem with the files of the open store.
    func findings(of store: any DataStore) async throws -> [String]
}
