package import DataStoreCore

/// A store location for tests that kill programs.
package protocol TortureSubject: AnyObject, Sendable {
    /// The arguments that tell the program the kind of the store.
    var storeArguments: [String] { get }

    /// The path of the store.
    var path: String { get }

    /// Opens the store.
    func open() async throws -> any DataStore

    /// Returns what is wrong with the files of the open store.
    func findings(of store: any DataStore) async throws -> [String]
}
