import ProfileCommands

/// `profile-cli`: commands on local stores. It launches `profile-cli-online` for everything else.
@main
enum ProfileCLI {
    static func main() {
        ProfileProgram(stores: .local, largerProgram: "profile-cli-online").main()
    }
}
