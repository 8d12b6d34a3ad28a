import ProfileCommands
import UserProfileKit

/// `profile-cli`: stores on this machine. `profile-cli-online` takes over for anything else.
@main
enum ProfileCLI {
    static func main() {
        ProfileProgram(stores: .local, largerProgram: "profile-cli-online").main()
    }
}
