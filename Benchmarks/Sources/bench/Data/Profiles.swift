import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import UserProfileData
import UserProfileDomain

/// The profiles that all benchmarks use. Each profile has a number.
enum Profiles {
    /// The number of stored fields of a profile: the mail address, its comparable form, and the birthday.
    static let fieldCount = 3

    static func id(_ number: Int) throws -> UserID { try UserID("user-\(number)") }

    /// Returns the number of the profile with an id.
    static func number(of id: UserID) throws -> Int {
        guard let number = Int(id.text.dropFirst("user-".count)) else { throw Failure("\(id) is not a profile id") }
        return number
    }

    /// Returns a profile in its initial or its changed state. Both states have the same length.
    static func user(_ number: Int, isChanged: Bool = false) throws -> User {
        // Consecutive numbers have unrelated birthdays, because 40,507 and the number of days are coprime.
        let day = number * 40_507 % (70 * 12 * 28)
        return User(
            id: try id(number),
            mailAddress: try MailAddress("somebody.\(number)@\(isChanged ? "post" : "mail").example.com"),
            birthday: Birthday(
                try CalendarDate(year: 1950 + day / 336, month: 1 + day / 28 % 12, day: 1 + day % 28)))
    }

    /// Returns random profile numbers. `count` is the number of profiles.
    static func randomNumbers(_ amount: Int, of count: Int) -> [Int] {
        (0..<amount).map { _ in Int.random(in: 0..<count) }
    }

    /// Creates a store with profiles, many in each transaction.
    static func fill(_ path: String, numbers: some Collection<Int>, isChanged: Bool = false) async throws {
        let store = try LMDBDataStore(path: path)
        try await fill(store, numbers: numbers, isChanged: isChanged)
        await store.close()
    }

    /// Returns a store in memory with a number of profiles.
    static func memoryStore(count: Int) async throws -> MemoryDataStore {
        let store = MemoryDataStore()
        try await fill(store, numbers: 0..<count, isChanged: false)
        return store
    }

    /// Fills an open store with profiles, many in each transaction.
    static func fill(
        _ store: some DataStore, numbers: some Collection<Int>, isChanged: Bool
    ) async throws {
        let mapping = User.mapping()
        var rest = Array(numbers)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(10_000))
            rest = rest.dropFirst(part.count)
            try await store.write { transaction in
                for number in part {
                    let user = try user(number, isChanged: isChanged)
                    try transaction.put(
                        mapping.record(of: user), for: .init(collection: mapping.collection, id: user.id.text))
                }
            }
        }
        // The records were not written through a schema, so the store does not state that they are complete.
        try await SchemaStore(store, schema: Schema([mapping.schemaCollection])).migrate()
    }

    /// Builds all indexes of a store with profiles.
    static func buildIndexes(_ path: String) async throws {
        let schema = try Schema([User.mapping().schemaCollection])
        let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
        try await store.buildIndexes()
        await store.close()
    }

    /// Returns the entries that an environment contains after profiles were saved, in the order of the profile numbers.
    static func encoded(_ numbers: [Int], isChanged: Bool = false, on stage: Stage) async throws -> [EncodedEntry] {
        let path = stage.newPath()
        try await fill(path, numbers: numbers, isChanged: isChanged)
        let entries = try BareReader(BareEnvironment(path: path)).entries()
        let values = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
        try stage.remove(path)
        return try numbers.map { number in
            let key = Array("users\0user-\(number)".utf8)
            guard let value = values[key] else { throw Failure("profile \(number) is stored under another key") }
            return EncodedEntry(key: key, value: value)
        }
    }
}
