public import DataStoreCore
import Foundation

extension PlistDataStore {
    /// Opens the store in the file of a suite of `UserDefaults`, where the platform keeps it (``path(ofSuite:)``).
    ///
    /// The store is one entry of that file; what `UserDefaults` keeps in it stays. Nothing is the other way round: on
    /// Linux `UserDefaults` writes the file anew from what it read at first, and on Apple platforms a daemon does, so no
    /// other program should have the suite open in `UserDefaults` while this store is used.
    ///
    /// - Parameters:
    ///   - name: the suite, e.g. `com.example.app`. `UserDefaults.standard` has the name of the program on Linux, and the
    ///     identifier of its bundle on Apple platforms.
    ///   - format: how the file is written where it is not there yet.
    /// - Throws: `DataStoreError`: `notAStore` also where the name is none of a suite.
    public convenience init(suiteName name: String, format: Format = .xml) throws(DataStoreError) {
        try self.init(path: PlistDataStore.path(ofSuite: name), format: format)
    }

    /// The file of a suite of `UserDefaults`, whether it is there or not.
    ///
    /// On Linux it is `<name>.plist` in `$XDG_CONFIG_HOME` where that is an absolute path, or else in `~/.config`; on Apple
    /// platforms in `~/Library/Preferences`. The home directory is `$HOME`, or that of the account where it is not set.
    ///
    /// - Parameter name: the suite: any text but `.`, `..` and the empty one, without `/` and NUL.
    /// - Returns: the path.
    /// - Throws: `DataStoreError` with the code `notAStore` where the name would lead to a file elsewhere.
    public static func path(ofSuite name: String) throws(DataStoreError) -> String {
        try path(ofSuite: name, environment: ProcessInfo.processInfo.environment)
    }

    /// The file of a suite for a program with other environment variables.
    package static func path(
        ofSuite name: String, environment: [String: String]
    ) throws(DataStoreError) -> String {
        func refuse(_ reason: String) -> DataStoreError {
            DataStoreError(.notAStore, "\(name.debugDescription) is no name of a suite: \(reason)")
        }
        guard !name.isEmpty else { throw refuse("it is empty") }
        guard name != ".", name != ".." else { throw refuse("it is that of a directory") }
        guard !name.utf8.contains(UInt8(ascii: "/")) else { throw refuse("a slash would lead to another directory") }
        guard !name.utf8.contains(0) else { throw refuse("it has a NUL") }
        return "\(preferences(environment))/\(name).plist"
    }

    /// The directory of preferences. (`UserDefaults` on Linux takes `/` for home where `HOME` is not set, and a relative one
    /// from wherever the program is: nobody looks for a file there.)
    private static func preferences(_ environment: [String: String]) -> String {
        func directory(_ variable: String) -> String? {
            guard let path = environment[variable], path.hasPrefix("/") else { return nil }
            return path
        }
        let home = directory("HOME") ?? NSHomeDirectory()
        #if canImport(Darwin)
        return "\(home)/Library/Preferences"
        #else
        return directory("XDG_CONFIG_HOME") ?? "\(home)/.config"
        #endif
    }
}
