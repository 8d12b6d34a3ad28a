import ArgumentParser
import DataStorePostgres
import ForecastHTTP
import Hummingbird
import Studio
import UserProfileKit
import UserProfileSealing

/// `profile-studio`
@main
struct ProfileStudio: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile-studio",
        abstract: "Show profiles, forecasts and the store itself in a browser.",
        discussion: """
            Prints an address for a browser on this machine. The address can be used once; the browser then has access \
            until the program ends. Press Control-C to end it.

            The store is only read, unless --write is given. The store, the key, the weather service and their \
            environment variables are those of profile-cli.
            """)

    @Option(help: ArgumentHelp("The store: lmdb:PATH, plist:PATH or postgres://…", valueName: "location"))
    var store: String?

    @Option(help: ArgumentHelp("The file with the key of sealed fields.", valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(help: ArgumentHelp("The shell command that prints the key of sealed fields.", valueName: "command"))
    var keyCommand: String?

    @Flag(help: "Allow pages to change the store.")
    var write = false

    @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 chooses a free one.", valueName: "number"))
    var port = 0

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ArgumentParser.ValidationError("--port must be 0 to 65535, not \(port)")
        }
        if keyFile != nil, keyCommand != nil {
            throw ArgumentParser.ValidationError("--key-file and --key-command cannot be used together")
        }
    }

    func run() async throws {
        let configuration: Configuration
        let source: HTTPForecastSource
        do {
            configuration = try Configuration.read(
                program: "profile-cli", store: store, kinds: .local + [PostgresStoreKind()])
            source = HTTPForecastSource(try configuration.forecastService(), options: configuration.forecastOptions)
        } catch {
            throw Output.report(error, .usage)
        }
        let keys: SealingKeySource? =
            if let keyCommand { .command(keyCommand) } else { (keyFile ?? configuration.keyFile).map { .file($0) } }
        do {
            // Indexes are written to the store, so a studio that only reads does not build them.
            let storage = try await UserProfileStorage.open(
                configuration.store, source: source, keys: keys.map { .source($0) }, buildsIndexes: write)
            let studio = try await Studio(storage, at: configuration.store, isWritable: write, source: source)
            try await studio.run(port: port) { address in Output.write(address) }
            await storage.close()
        } catch let error as ListenError {
            throw Output.report(error, error.isForbidden ? .noPermission : .unavailable)
        } catch {
            throw Output.report(error, ExitCode(Failure(error).kind))
        }
    }
}
