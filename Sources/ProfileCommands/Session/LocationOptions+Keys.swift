import ArgumentParser

#if Sealing
import UserProfileSealing
#endif

extension LocationOptions {
    #if Sealing
    /// The source of the key: an option, or the configuration. It is `nil` if none is given.
    func source(_ configuration: Configuration) -> SealingKeySource? {
        if let keyCommand { return .command(keyCommand) }
        return (keyFile ?? configuration.keyFile).map { .file($0) }
    }

    /// The source of the key, for commands that need one.
    func requiredSource(_ configuration: Configuration) throws -> SealingKeySource {
        guard let source = source(configuration) else {
            throw CommandError(
                .usage, "the command needs the key of the sealed fields; pass --key-file FILE or --key-command")
        }
        return source
    }

    /// The keys with which the storage is opened, or `nil` if none is given.
    func keys(_ configuration: Configuration) -> StoreKeys? {
        source(configuration).map { .source($0) }
    }

    /// Opens each sealed value of the store if a key is given. Returns a description of each one that cannot be opened.
    func findings(in session: Session) async throws -> [String] {
        guard let source = source(session.configuration) else { return [] }
        return try await session.open().records.verifySealedFields(with: source)
    }
    #else
    func keys(_ configuration: Configuration) -> StoreKeys? { nil }

    func findings(in session: Session) async throws -> [String] { [] }
    #endif
}
