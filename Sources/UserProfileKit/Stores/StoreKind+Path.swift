import DataStoreCore
import DataStoreFiles
import UserProfileDomain

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension StoreKind {
    /// Returns the path in a location whose address is a path. `~/` becomes the home directory: a shell expands a tilde
    /// only at the start of a word.
    func path(from text: String) throws(ValidationError) -> String {
        guard !text.isEmpty else {
            throw ValidationError(.storageLocation, given: text, rule: "a path must follow \(scheme):")
        }
        guard text.hasPrefix("~/") else { return text }
        // The text is copied before another thread can change the variable.
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        return (home ?? Account.homeDirectory ?? "") + text.dropFirst()
    }
}

extension FileStamp {
    /// Returns the stamp of the file at a path, or `nil` if no file exists there.
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
