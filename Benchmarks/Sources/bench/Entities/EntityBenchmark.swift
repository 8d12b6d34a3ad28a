import DataStoreLMDB
import Foundation
import UserProfileKit

/// The benchmark of an embedding program's own entities: a `Codable` type in an LMDB store and in memory beside the
/// `Codable` record of GRDB, and a hand-written mapping beside a hand-written record of GRDB.
struct EntityBenchmark {
    private static let pageCount = 50

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let mapping = Appointment.mapping(in: "appointments", indexes: Appointment.indexes)
        // It is measured first, because memory that the program has freed is used again.
        let memoryOfEach = try await self.memory(mapping)
        let all = Appointment.all(count)
        let (loads, stores) = try await load(all, mapping)
        let (peer, plainPeer) = (stores.peer, stores.plainPeer)
        let repository = try stores.store.repository(mapping: mapping)
        let inMemory = try stores.memory.repository(mapping: mapping)
        let byHand = try stores.plain.repository(mapping: AppointmentMapping())
        var comparisons = loads
        comparisons += try await list(repository, inMemory, byHand, peer, plainPeer)
        comparisons += try await pages(repository, inMemory, peer)
        comparisons += try await read(all, repository, inMemory, peer)
        comparisons += try await counts(repository, inMemory, peer)
        comparisons += try await simpleReader(all, stores.path, peer, plainPeer)
        comparisons += try await allocations(all, repository, byHand, peer, plainPeer)
        comparisons += try await save(all, repository, inMemory, peer)
        comparisons.append(memoryOfEach)
        comparisons.append(
            Comparison(
                "size of the file, \(count) entities", .kibibytes, peer: "GRDB", goal: .atMost(2),
                ours: [try size(stores.path + "/data.mdb")], theirs: [try size(stores.path + ".sqlite")]))
        try await stores.remove(on: stage)
        return comparisons
    }

    /// The numbers of lists and counts in a round, so that rounds of all sizes are long enough to be measured.
    var listRepeats: Int { stage.isQuick ? 1 : max(20_000 / count, 1) }
    var countRepeats: Int { stage.isQuick ? 1 : max(200_000 / count, 1) }

    private func size(_ path: String) throws -> Double { try stage.byteCount(path) / 1024 }

    func comparison(
        _ work: String, _ unit: Unit, peer: String, _ goal: Goal? = nil, operations: Int, _ rounds: Rounds
    ) -> Comparison {
        Comparison("\(work), \(count) entities", unit, peer: peer, goal: goal, operations: operations, rounds)
    }

    // MARK: Loading

    /// The stores of both packages.
    private struct Stores {
        let path: String
        let store: LMDBDataStore
        let memory = MemoryDataStore()
        /// The store of the hand-written mapping.
        let plain: LMDBDataStore
        let peer: SQLiteAppointments
        let plainPeer: SQLiteAppointments

        init(path: String) throws {
            self.path = path
            store = try LMDBDataStore(path: path)
            plain = try LMDBDataStore(path: path + "-plain")
            peer = try SQLiteAppointments(path: path + ".sqlite")
            plainPeer = try SQLiteAppointments(path: path + "-plain.sqlite", isPlain: true)
        }

        func remove(on stage: Stage) async throws {
            for store in [store, memory, plain] as [any DataStore] { await store.close() }
            try [path, path + "-plain"].forEach(stage.remove)
            try [peer, plainPeer].forEach { try $0.remove(on: stage) }
        }
    }

    /// Measures how long loading new stores takes, and returns the stores of the last round.
    private func load(
        _ all: [Appointment], _ coded: some RecordMapping<Appointment>
    ) async throws -> ([Comparison], Stores) {
        func seconds(_ store: any DataStore, _ mapping: some RecordMapping<Appointment>) async throws -> Double {
            let unit = try store.unitOfWork(mappings: [mapping])
            return try await Rounds.seconds {
                try await unit.perform { try $0.repository(of: Appointment.self).save(contentsOf: all) }
            }
        }
        var rounds: [[Double]] = []
        var stores = try Stores(path: stage.newPath())
        for round in 0..<(count > 100_000 ? 1 : stage.rounds(3)) {
            if round > 0 {
                try await stores.remove(on: stage)
                stores = try Stores(path: stage.newPath())
            }
            let (peer, plainPeer) = (stores.peer, stores.plainPeer)
            rounds.append([
                try await seconds(stores.store, coded), try await seconds(stores.memory, coded),
                try Rounds.secondsOnThread { try peer.load(all) },
                try await seconds(stores.plain, AppointmentMapping()),
                try Rounds.secondsOnThread { try plainPeer.loadPlain(all) },
            ])
            try [peer, plainPeer].forEach { try $0.checkpoint() }
            stage.settle()
        }
        let unit = Unit.microseconds(per: "entity")
        let works: [(String, String, Goal?, Int, Int)] = [
            ("load", "GRDB", .atMost(0.5), 0, 2), ("load into memory", "GRDB", nil, 1, 2),
            ("load with a mapping", "GRDB, by hand", nil, 3, 4),
        ]
        let comparisons = works.map { work, peer, goal, ours, theirs in
            Comparison(
                "\(work), \(count) entities", unit, peer: peer, goal: goal,
                ours: rounds.map { unit.number(count, in: $0[ours]) },
                theirs: rounds.map { unit.number(count, in: $0[theirs]) })
        }
        return (comparisons, stores)
    }

    // MARK: Reading

    private func list(
        _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>,
        _ plain: any Repository<Appointment>, _ peer: SQLiteAppointments, _ plainPeer: SQLiteAppointments
    ) async throws -> [Comparison] {
        guard try await repository.list() == peer.list(), try await plain.list() == plainPeer.listPlain() else {
            throw Failure("the lists of entities differ")
        }
        func ours(_ repository: any Repository<Appointment>) async throws -> Double {
            try await Rounds.seconds {
                for _ in 0..<listRepeats {
                    guard try await repository.list().count == count else { throw Failure("list") }
                }
            }
        }
        func theirs(_ list: () throws -> [Appointment]) throws -> Double {
            try Rounds.secondsOnThread {
                for _ in 0..<listRepeats { guard try list().count == count else { throw Failure("list") } }
            }
        }
        let works: [(String, String, Goal?, any Repository<Appointment>, () throws -> [Appointment])] = [
            ("list all", "GRDB", .atMost(0.33), repository, peer.list),
            ("list all in memory", "GRDB", nil, memory, peer.list),
            ("list all with a mapping", "GRDB, by hand", .atMost(0.15), plain, plainPeer.listPlain),
        ]
        var comparisons: [Comparison] = []
        for (work, name, goal, repository, list) in works {
            let rounds = try await Rounds(stage.rounds(5)) {
                try await ours(repository)
            } theirs: {
                try theirs(list)
            }
            comparisons.append(
                comparison(
                    work, .microseconds(per: "entity"), peer: name, goal, operations: listRepeats * count, rounds))
        }
        return comparisons
    }

    private func pages(
        _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>, _ peer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let repeats = stage.operations(2000)
        let starts = Profiles.randomNumbers(repeats, of: count).map { Appointment($0).startsAt }
        func query(_ date: Date) -> Query<Appointment> {
            Query(
                where: \.status == .done && \.startsAt > date, sort: [.ascending(\.startsAt)], limit: Self.pageCount)
        }
        for date in starts.prefix(20) {
            guard try await repository.find(query(date)).entities == peer.page(.done, after: date, Self.pageCount)
            else { throw Failure("the pages of entities differ") }
        }
        func ours(_ repository: any Repository<Appointment>) async throws -> Double {
            try await Rounds.seconds { for date in starts { _ = try await repository.find(query(date)).entities } }
        }
        return try await both("page of \(Self.pageCount)", "page", .atMost(0.33), repeats, repository, memory, ours) {
            try Rounds.secondsOnThread {
                for date in starts { _ = try peer.page(.done, after: date, Self.pageCount) }
            }
        }
    }

    private func read(
        _ all: [Appointment], _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>,
        _ peer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let ids = Profiles.randomNumbers(stage.operations(20_000), of: count).map { all[$0].id }
        func ours(_ repository: any Repository<Appointment>) async throws -> Double {
            try await Rounds.seconds {
                for id in ids { guard try await repository.find(id) != nil else { throw Failure("\(id)") } }
            }
        }
        return try await both("read by id", "entity", .atMost(0.012), ids.count, repository, memory, ours) {
            try Rounds.secondsOnThread {
                for id in ids { guard try peer.read(id) != nil else { throw Failure("\(id)") } }
            }
        }
    }

    private func counts(
        _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>, _ peer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let filter: Filter<Appointment> = \.seats > 25 && .contains(\.title, "99")
        guard try await repository.count(where: filter) == peer.count(seatsAbove: 25, titleContaining: "99") else {
            throw Failure("the counts of entities differ")
        }
        func ours(_ repository: any Repository<Appointment>) async throws -> Double {
            try await Rounds.seconds { for _ in 0..<countRepeats { _ = try await repository.count(where: filter) } }
        }
        return try await both(
            "count without an index", "record", .atMost(1.2), countRepeats * count, repository, memory, ours
        ) {
            try Rounds.secondsOnThread {
                for _ in 0..<countRepeats { _ = try peer.count(seatsAbove: 25, titleContaining: "99") }
            }
        }
    }

    // MARK: Saving

    private func save(
        _ all: [Appointment], _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>,
        _ peer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let ids = Profiles.randomNumbers(stage.operations(1000), of: count).map { all[$0].id }
        func ours(_ repository: any Repository<Appointment>) async throws -> Double {
            try await Rounds.seconds {
                for id in ids { try await repository.update(id) { appointment in appointment?.seats += 1 } }
            }
        }
        return try await both("read, change, save", "entity", .atMost(1.6), ids.count, repository, memory, ours) {
            try await Rounds.seconds { for id in ids { try await peer.book(id) } }
        }
    }

    /// Measures the LMDB store and the memory store beside the same work of GRDB.
    private func both(
        _ work: String, _ operation: String, _ goal: Goal, _ operations: Int,
        _ repository: any Repository<Appointment>, _ memory: any Repository<Appointment>,
        _ ours: (any Repository<Appointment>) async throws -> Double, _ theirs: () async throws -> Double
    ) async throws -> [Comparison] {
        var comparisons: [Comparison] = []
        for (name, repository, goal) in [("", repository, goal), (" in memory", memory, nil)] {
            let rounds = try await Rounds(stage.rounds(5)) {
                try await ours(repository)
            } theirs: {
                try await theirs()
            }
            comparisons.append(
                comparison(
                    work + name, .microseconds(per: operation), peer: "GRDB", goal, operations: operations, rounds))
        }
        return comparisons
    }
}
