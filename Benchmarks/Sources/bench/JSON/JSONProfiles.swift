import Foundation
import UserProfileDomain

/// The peer that keeps profiles in a JSON file, as small programs do. All profiles are in memory, and each save writes
/// the complete file to a temporary file and renames it.
struct JSONProfiles {
    private struct Profile: Codable {
        var mailAddress: String?
        var birthday: String?
    }

    private let file: BareFile
    private var profiles: [String: Profile]

    /// Creates a file with a number of profiles.
    init(count: Int, on stage: Stage) throws {
        file = BareFile(path: stage.newPath() + ".json")
        profiles = [:]
        try fill(count: count)
        stage.settle()
    }

    /// Reads an existing file.
    init(path: String) throws {
        file = BareFile(path: path)
        profiles = try JSONDecoder().decode([String: Profile].self, from: Data(contentsOf: URL(filePath: path)))
    }

    var path: String { file.path }

    /// Adds a number of profiles and writes the file.
    mutating func fill(count: Int) throws {
        for number in 0..<count { set(try Profiles.user(number)) }
        try write()
    }

    func write() throws { try file.replace(with: try JSONEncoder().encode(profiles)) }

    mutating func set(_ user: User) {
        profiles[user.id.text] = Profile(
            mailAddress: user.mailAddress?.text, birthday: user.birthday?.description)
    }

    /// Returns the mail address of a profile from memory.
    func mailAddress(of id: String) -> String? { profiles[id]?.mailAddress }

    /// Saves a mail address durably.
    mutating func save(_ mailAddress: String, of id: String) throws {
        profiles[id]?.mailAddress = mailAddress
        try write()
    }

    /// Throws ``Failure`` unless the file contains the mail addresses of the given users.
    func compare(_ users: [User]) throws {
        guard users.count == profiles.count,
            users.allSatisfy({ mailAddress(of: $0.id.text) == $0.mailAddress?.text })
        else { throw Failure("the JSON file and this package have different profiles") }
    }
}
