import ForecastHTTP
import ProfileCommands
import UserProfileKit

/// `profile-cli-online`: everything that `profile-cli` does, and the commands that need a network.
@main
enum ProfileCLIOnline {
    static func main() {
        ProfileProgram(stores: .verifyingLocal) { HTTPForecastSource($0, options: $1) }.main()
    }
}
