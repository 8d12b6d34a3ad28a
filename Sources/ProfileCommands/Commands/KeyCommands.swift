#if Sealing
import ArgumentParser
import UserProfileSealing

/// The command `key`, which contains the subcommand for key files.
struct KeyCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a key for sealed fields.",
        discussion: """
            A key file opens the sealed fields of a store; see `profile-cli store seal --help`.

            EXAMPLE
              profile-cli key new ~/.config/profile-cli/key
            """,
        subcommands: [KeyNew.self])
}

/// The command `key new`, which makes a key file.
struct KeyNew: ProgramCommand {
    static let help: CommandHelp = """
        new: Make a key file.

        Writes a new random key to a file that only you can read (mode 0600). An existing file is never replaced. Keep \
        a copy apart from the store: without the key, the sealed fields are lost.

        To change the key of a store, make a key with the next number and run `store rekey`.

        EXAMPLES
          profile-cli key new ~/.config/profile-cli/key
          profile-cli key new new-key --number 2 --label 'office 2027'
        """

    @Argument(help: "The path of the new file.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The number of the key.", valueName: "number"))
    var number: UInt32 = 1

    @Option(help: ArgumentHelp("A name for messages, which is not secret.", valueName: "text"))
    var label: String?

    @OptionGroup(title: "Common Options") var options: FormatOptions

    func run(in session: Session) async throws {
        let key = try SealingKey.random(number: number, label: label ?? "")
        do throws(DataStoreError) {
            try key.write(toNewFileAt: file)
        } catch {
            if error.code == .misuse { throw CommandError(.cannotCreate, "\(error)") }
            throw error
        }
        Console.note("made \(key) in \(file); keep a copy of it apart from the store")
    }
}
#endif
