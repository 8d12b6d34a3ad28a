import DataStoreSystem
import SystemPackage

extension PlistDataStore {
    /// Returns the path of the file of a `UserDefaults` suite. The file need not exist.
    ///
    /// On Linux, the file is `<name>.plist` in `$XDG_CONFIG_HOME` if that is an absolute path, and otherwise in
    /// `~/.config`. On Apple platforms, the file is in `~/Library/Preferences`. The home directory is `$HOME` if that
    /// is an absolute path, and otherwise the home directory of the account.
    ///
    /// - Parameter name: The name of the suite: any string without `/` and NUL, except the empty string, `.` and `..`.
    /// - Returns: The path of the file.
    /// - Throws: `DataStoreError` with the code `notAStore` if the name is invalid or the account has no home
    ///   directory.
    public static func path(ofSuite name: String) throws(DataStoreError) -> String {
        try path(ofSuite: name) { variable in
            // The text is copied at once, and this library never changes an environment variable.
            unsafe getenv(variable).map { unsafe String(cString: $0) }
        }
    }

    /// Returns the path of the file of a suite, given the environment variables.
    package static func path(ofSuite name: String, environment: (String) -> String?) throws(DataStoreError) -> String {
        func nameError(_ reason: String) -> DataStoreError {
            DataStoreError(.notAStore, "\(name.debugDescription) is not the name of a suite: \(reason)")
        }
        guard !name.isEmpty else { throw nameError("the name is empty") }
        guard name != ".", name != ".." else { throw nameError("the name refers to a directory") }
        guard !name.utf8.contains(UInt8(ascii: "/")) else { throw nameError("a slash refers to another directory") }
        guard !name.utf8.contains(0) else { throw nameError("the name contains a NUL") }
        return "\(try preferences(environment))/\(name).plist"
    }

    /// Returns the directory that contains the files of suites.
    ///
    /// If `HOME` is not set or is a relative path, this function uses the home directory of the account. `UserDefaults`
    /// on Linux uses `/` in the first case, and resolves `HOME` against the working directory in the second case. This
    /// function does not, because no program expects a file in either directory.
    private static func preferences(_ environment: (String) -> String?) throws(DataStoreError) -> String {
        func directory(_ variable: String) -> String? {
            guard let path = environment(variable), path.utf8.first == UInt8(ascii: "/") else { return nil }
            return path
        }
        #if !canImport(Darwin)
        if let path = directory("XDG_CONFIG_HOME") { return path }
        #endif
        guard let home = directory("HOME") ?? Path.homeDirectory else {
            throw DataStoreError(.notAStore, "the account has no home directory; set HOME")
        }
        #if canImport(Darwin)
        return "\(home)/Library/Preferences"
        #else
        return "\(home)/.config"
        #endif
    }

    // MARK: Entries of another program, e.g. of an app that uses `UserDefaults`

    /// Reads entries of the root dictionary of a file, which does not change.
    ///
    /// ```swift
    /// let path = try PlistDataStore.path(ofSuite: "com.example.app")
    /// let launches = try PlistDataStore.entries(["launches"], ofFileAt: path)["launches"]
    /// ```
    ///
    /// - Parameters:
    ///   - names: The keys of the entries. Other entries are skipped.
    ///   - path: The path of the file, an XML or a binary property list.
    /// - Returns: The entries that exist.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `inputOutput` if the file does not exist or cannot be read.
    ///   - `notAStore` if the file is not a regular file.
    ///   - `corrupted` if the file is damaged or is not a property list, if its root is not a dictionary, or if a
    ///     record cannot contain the value of a requested entry.
    public static func entries(_ names: [String], ofFileAt path: String) throws(DataStoreError) -> Record {
        do throws(DataStoreError) {
            guard let read = try PlistLocation.resolve(path, ofStore: false)?.read() else {
                throw DataStoreError(.noSuchFileOrDirectory, "read the file", path: path)
            }
            do throws(PropertyListError) {
                return try PropertyList.rootEntries(names, of: read.bytes)
            } catch {
                throw DataStoreError(.corrupted, "not a valid property list: \(error)", underlying: error)
            }
        } catch {
            throw error.adding(operation: "read the entries", path: path)
        }
    }
}
