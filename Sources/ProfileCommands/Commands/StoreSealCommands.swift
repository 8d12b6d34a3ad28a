#if Sealing
import ArgumentParser
import UserProfileSealing

/// The command `store seal`, which encrypts fields.
struct StoreSeal: ProgramCommand {
    static let help: CommandHelp = """
        seal: Encrypt fields of a collection.

        Encrypts the existing values of the fields in one transaction. From then on, every program needs the key to \
        read or save these fields; restart programs that are running. A searchable field can be compared with == and \
        be unique, and its equal values can be recognized; an opaque field hides them.

        Plain values from before may remain in the files of an LMDB store, and in backups. Run `store compact` \
        afterwards, and make new backups.

        With --dry-run, the command prints how many values would be encrypted.

        EXAMPLES
          profile-cli store seal users --searchable mailAddress --opaque birthday --dry-run
          profile-cli store seal users --searchable mailAddress --opaque birthday --key-file key --yes
        """

    @Argument(help: "The collection, e.g. users.")
    var collection: String

    @Option(help: ArgumentHelp("A field that queries can compare; can be repeated.", valueName: "field"))
    var searchable: [String] = []

    @Option(help: ArgumentHelp("A field of which only the presence is visible; can be repeated.", valueName: "field"))
    var opaque: [String] = []

    @Flag(help: "Only count the values to encrypt.")
    var dryRun = false

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func validate() throws {
        if searchable.isEmpty && opaque.isEmpty {
            throw UsageError("name at least one field with --searchable or --opaque")
        }
    }

    func run(in session: Session) async throws {
        let source =
            try dryRun
            ? options.location.source(session.configuration) ?? .environment("")
            : options.location.requiredSource(session.configuration)
        if !dryRun {
            try await confirmation.confirm("seal \((searchable + opaque).joined(separator: ", ")) of \(collection)")
        }
        let count = try await ProgressLine.during("sealing \(collection)", isCancellable: false) { _ in
            try await session.open().records.seal(
                searchable: searchable, opaque: opaque, of: collection, with: source, dryRun: dryRun)
        }
        let values = count.counted("value")
        try session.report(
            dryRun
                ? "would seal \(values) of \(collection)"
                : "sealed \(values) of \(collection); plain values may remain in the files and in backups: "
                    + "run `profile-cli store compact`, and make new backups",
            json: ["collection": collection, "valueCount": count])
    }
}

/// The command `store unseal`, which stores sealed fields as plain values again.
struct StoreUnseal: ProgramCommand {
    static let help: CommandHelp = """
        unseal: Store sealed fields without encryption.

        Decrypts all values of the fields, in one transaction. Programs that declare the fields as sealed encrypt them \
        again, so change these programs first.

        EXAMPLE
          profile-cli store unseal users birthday --key-file key --yes
        """

    @Argument(help: "The collection, e.g. users.")
    var collection: String

    @Argument(help: "The fields, e.g. birthday.")
    var fields: [String]

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let source = try options.location.requiredSource(session.configuration)
        try await confirmation.confirm("store \(fields.joined(separator: ", ")) of \(collection) without encryption")
        try await ProgressLine.during("unsealing \(collection)", isCancellable: false) { _ in
            try await session.open().records.unseal(fields, of: collection, with: source)
        }
        Console.note("unsealed \(fields.joined(separator: ", ")) of \(collection)")
    }
}

/// The command `store rekey`, which replaces the program's key.
struct StoreRekey: ProgramCommand {
    static let help: CommandHelp = """
        rekey: Replace the key of the sealed fields.

        The new key must have another number. No value is encrypted anew, so the command is fast. If the old key has \
        leaked, run `store reseal` and `store compact` afterwards.

        EXAMPLE
          profile-cli store rekey --key-file key --new-key-file new-key
        """

    @Option(help: ArgumentHelp("The file with the new key.", valueName: "file"), completion: .file())
    var newKeyFile: String

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let source = try options.location.requiredSource(session.configuration)
        let newKey = try await SealingKeySource.file(newKeyFile).key()
        do {
            try await session.open().records.rekey(from: source, to: newKey)
        } catch let error as DataStoreError where error.code == .misuse {
            throw CommandError(
                .badInput,
                "the key in \(newKeyFile) has the number \(newKey.number), as the key of the store; make one with "
                    + "`profile-cli key new --number \(newKey.number &+ 1) FILE`")
        }
        Console.note("the store opens with \(newKey) from now on")
    }
}

/// The command `store reseal`, which renews the data key.
struct StoreReseal: ProgramCommand {
    static let help: CommandHelp = """
        reseal: Encrypt all sealed fields with a new data key.

        Other programs can use the store meanwhile. If the command is interrupted, run it again. The old data key may \
        remain in the files of the store, and in backups. With --renew-blind-key, the index entries of searchable \
        fields are renewed, too, in one transaction.

        EXAMPLE
          profile-cli store reseal --key-file key
        """

    @Flag(help: "Also renew the key by which equal values are found.")
    var renewBlindKey = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    var keepsFinishedSteps: Bool { !renewBlindKey }

    func run(in session: Session) async throws {
        let source = try options.location.requiredSource(session.configuration)
        let count = try await ProgressLine.during { line in
            try await session.open().records.reseal(with: source, renewingBlindKey: renewBlindKey) {
                line.show($0, in: "sealing")
            }
        }
        try session.report(
            "sealed \(count.counted("record")) of \(session.location) anew", json: ["recordCount": count])
    }
}
#endif
