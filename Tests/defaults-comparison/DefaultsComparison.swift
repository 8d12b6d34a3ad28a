import DataStoreCore
import DataStorePlist
import Foundation
import Synchronization

/// Checks requirements on preferences, with the property-list store and with `UserDefaults`, in the same way and on the
/// same machine.
///
///     defaults-comparison                 prints the table of the documentation
///     defaults-comparison points          prints the names of the points
///     defaults-comparison SIDE POINT      exits with 0 if the side (ours or userDefaults) fulfills the point
///     defaults-comparison suite NAME      saves a value in a suite of UserDefaults, prints where the store finds it
@main
enum DefaultsComparison {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().first) {
        case ("child"?, let side?):
            guard let side = Side(rawValue: side) else { return usage() }
            exit(await Child.run(side, Array(arguments.dropFirst(2))))
        case ("points"?, nil): print(Point.all.map(\.name).joined(separator: "\n"))
        case ("suite"?, let name?):
            try SystemPreferences(name).save(.string("vision@example.com"), "mailAddress", isAwaited: true)
            print(try PlistDataStore.path(ofSuite: name))
        case (let side?, let name?):
            guard let side = Side(rawValue: side), let point = Point.all.first(where: { $0.name == name }) else {
                return usage()
            }
            let outcome = try await point.outcome(Stage(side))
            print(outcome.description)
            exit(outcome.isKept ? 0 : 1)
        case (nil, _): try await table()
        default: usage()
        }
    }

    private static func table() async throws {
        print("| | this store | `UserDefaults` |")
        print("| --- | --- | --- |")
        for point in Point.all {
            var cells: [String] = []
            for side in Side.allCases {
                let outcome = try await point.outcome(Stage(side))
                cells.append(outcome.isKept ? outcome.description : "**\(outcome.description)**")
            }
            print("| \(point.sentence) | \(cells.joined(separator: " | ")) |")
        }
    }

    private static func usage() {
        FileHandle.standardError.write(
            Data("usage: defaults-comparison [points | ours POINT | userDefaults POINT | suite NAME]\n".utf8))
        exit(EX_USAGE)
    }
}

/// A flag that any thread can raise.
final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .sequentiallyConsistent) }
    func raise() { state.store(true, ordering: .sequentiallyConsistent) }
}
