import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast delete`, which deletes saved weather.
struct ForecastDelete: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete the saved weather of a city.",
        discussion: """
            Other cities do not change. If no weather is saved for the city, the command exits with 1.

            EXAMPLE
              profile-cli forecast delete 130010
            """)

    @Argument(help: "The city: a six-digit code or a name.", completion: CityCompletion.kind)
    var city: String

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let city = try CityCode(codeOrName: city)
            guard try await session.withStorage({ try await $0.weather.delete(city) }) else {
                throw try await session.nothingSaved("no weather is saved for \(city)")
            }
            session.note("deleted the weather of \(city)")
        }
    }
}
