import DataStoreCore
import DataStoreSystem
import UserProfileDomain

extension StoreKind {
    /// Converts the address in a location to a path. A leading `~/` becomes the home directory, because a shell does
    /// not expand the tilde after a scheme.
    ///
    /// - Throws: `ValidationError` if the text is empty, or if it begins with `~/` and `HOME` is a relative path.
    func path(from text: String) throws(ValidationError) -> String {
        guard !text.isEmpty else {
            throw ValidationError(.storageLocation, given: text, rule: "a path must follow \(scheme):")
        }
        guard text.hasPrefix("~/") else { return text }
        // The text is copied at once, because another thread may change the variable later.
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        if let home, !home.hasPrefix("/") {
            throw ValidationError(.storageLocation, given: text, rule: "HOME is not an absolute path; correct it")
        }
        return (home ?? Account.homeDirectory ?? "") + text.dropFirst()
    }
}

extension FileStamp {
    /// Returns the stamp of the file at a path, which identifies the file. Returns `nil` if no file exists there.
    static func ifExists(path: String) throws(DataStoreError) -> FileStamp? {
        do throws(DataStoreError) {
            return try FileStamp.of(path: path)
        } catch {
            switch error.errno {
            case ENOTDIR, ELOOP, ENAMETOOLONG: return nil
            default: throw error
            }
        }
    }
}
