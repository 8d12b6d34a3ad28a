/// A program that changes files, and the check of the files that a loss of power leaves.
///
/// The changes form a sequence of steps. A correct state of the files corresponds to the first steps, completely, and
/// to none of the later ones.
protocol Scenario: Sendable {
    var name: String { get }

    /// The names of the syncs that the promises of the scenario do not need.
    var unneededSyncs: Set<String> { get }

    /// Creates the files that exist before, which are durable.
    func prepare(_ folder: String) async throws

    /// Makes the changes. Calls ``Recording/acknowledge(_:)`` with the number of steps that are promised to be durable.
    func run(_ folder: String) async throws

    /// Opens the files that a loss of power has left, and verifies them.
    ///
    /// - Returns: The number of steps that the state corresponds to.
    /// - Throws: ``Damage`` or any other error if it corresponds to no number of steps, or cannot be read.
    func stepCount(in folder: String) async throws -> Int

    /// Continues the work after a loss of power.
    ///
    /// - Throws: ``Damage`` or any other error if this is not possible.
    func proceed(in folder: String) async throws
}

extension Scenario {
    var unneededSyncs: Set<String> { [] }
}

/// An error which states that the files are in an incorrect state.
struct Damage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
