import DataStoreCore
import DataStoreLMDB
import UserProfileData
import UserProfileDomain

/// The profiles that are measured with.
enum Profiles {
    static func id(_ number: Int) throws -> UserID { try UserID("user-\(number)") }

    static func user(_ number: Int) throws -> User {
        User(
            id: try id(number), mailAddress: try MailAddress("somebody.\(number)@mail.example.com"),
            birthday: Birthday(try CalendarDate(year: 1950 + number % 70, month: 1 + number % 12, day: 1 + number % 28))
        )
    }

    /// Makes a store with profiles, many in one transaction.
    static func fill(_ path: String, count: Int) async throws {
        let store = try LMDBDataStore(path: path)
        let mapping = UserMapping()
        for start in stride(from: 0, to: count, by: 10_000) {
            try await store.write { transaction in
                for number in start..<min(start + 10_000, count) {
                    let user = try user(number)
                    try transaction.put(
                        mapping.record(of: user), for: .init(collection: mapping.collection, id: user.id.text))
                }
            }
        }
        await store.close()
    }
}
