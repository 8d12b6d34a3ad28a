import DataStorePostgres
import ForecastHTTP
import ProfileCommands

/// `profile-cli-online`: everything that `profile-cli` does, and commands and stores that need a network.
@main
enum ProfileCLIOnline {
    static func main() {
        ProfileProgram(stores: .local + [PostgresStoreKind()]) { HTTPForecastSource($0, options: $1) }.main()
    }
}
