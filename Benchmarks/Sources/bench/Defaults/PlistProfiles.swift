import DataStoreCore
import DataStorePlist
import Foundation
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// Profiles in property lists: in a property-list store, and in a suite of `UserDefaults` with two entries for each
/// profile.
enum PlistProfiles {
    /// Returns the `UserDefaults` key of a profile's mail address.
    static func mailAddressKey(_ number: Int) -> String { "user-\(number).mailAddress" }

    /// Creates a store with a number of profiles.
    static func store(count: Int, on stage: Stage) async throws -> PlistDataStore {
        let store = try PlistDataStore(path: stage.newPath() + ".plist")
        let mapping = User.mapping()
        try await store.write { transaction in
            for number in 0..<count {
                let user = try Profiles.user(number)
                try transaction.put(
                    mapping.record(of: user), for: .init(collection: mapping.collection, id: user.id.text))
            }
        }
        stage.settle()
        return store
    }

    /// Creates a suite with a number of profiles. The file is written directly, because the time of `set` grows with
    /// the number of entries.
    static func defaults(count: Int, on stage: Stage) throws -> UserDefaults {
        var entries: [String: String] = [:]
        for number in 0..<count {
            let user = try Profiles.user(number)
            entries[mailAddressKey(number)] = user.mailAddress?.text
            entries["user-\(number).birthday"] = user.birthday?.description
        }
        let path = stage.newPath()
        try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
            .write(to: URL(filePath: path + ".plist"))
        guard let defaults = UserDefaults(suiteName: URL(filePath: path).lastPathComponent),
            defaults.string(forKey: mailAddressKey(0)) == entries[mailAddressKey(0)]
        else { throw Failure("UserDefaults does not read the suite") }
        stage.settle()
        return defaults
    }

    /// Returns the contents of a property-list file as Foundation reads them.
    static func root(ofFileAt path: String) throws -> NSDictionary {
        let bytes = try Data(contentsOf: URL(filePath: path))
        let root = try PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
        guard let entries = root as? [String: Any] else { throw Failure("\(path) has no entries") }
        return entries as NSDictionary
    }

    /// Throws ``Failure`` unless the store and the suite contain the same mail addresses.
    static func compare(_ profiles: UserUseCase, _ defaults: UserDefaults, numbers: some Sequence<Int>) async throws {
        for number in numbers {
            let address = try await profiles.mailAddress(of: Profiles.id(number))
            guard let address, address.text == defaults.string(forKey: mailAddressKey(number)) else {
                throw Failure("the mail address of profile \(number) differs")
            }
        }
    }
}
