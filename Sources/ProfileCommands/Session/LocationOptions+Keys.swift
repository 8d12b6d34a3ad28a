import ArgumentParser
import DataStoreQueries
import DataStoreSystem
import UserProfileKit

#if Sealing
import UserProfileSealing
#endif

extension LocationOptions {
    #if Sealing
    /// The source of the key: an option, or the environment variable `PROFILE_KEY_FILE`. It is `nil` if none is given.
    var source: SealingKeySource? {
        if let keyCommand { return .command(keyCommand) }
        // The text is copied at once.
        let variable = unsafe getenv("PROFILE_KEY_FILE").map { unsafe String(cString: $0) }
        return (keyFile ?? variable).flatMap { $0.isEmpty ? nil : .file($0) }
    }

    /// The source of the key, for commands that need one.
    var requiredSource: SealingKeySource {
        get throws {
            guard let source else {
                throw CommandError(
                    .usage, "the command needs the key of the sealed fields; pass --key-file FILE or --key-command")
            }
            return source
        }
    }
    #endif

    /// The keys with which the storage is opened, or `nil` if none is given.
    var keys: StoreKeys? {
        #if Sealing
        return source.map { .source($0) }
        #else
        return nil
        #endif
    }

    /// Opens each sealed value of the store if a key is given. Returns a description of each one that cannot be opened.
    func findings(in session: Session) async throws -> [String] {
        #if Sealing
        guard let source else { return [] }
        return try await session.withStorage { try await $0.records.verifySealedFields(with: source) }
        #else
        return []
        #endif
    }
}
