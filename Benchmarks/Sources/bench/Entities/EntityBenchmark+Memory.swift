import CAllocations
import Foundation
import UserProfileKit

extension EntityBenchmark {
    /// Counts the memory blocks that reading allocates.
    func allocations(
        _ all: [Appointment], _ repository: any Repository<Appointment>, _ byHand: any Repository<Appointment>,
        _ peer: SQLiteAppointments, _ plainPeer: SQLiteAppointments
    ) async throws -> [Comparison] {
        let ids = all.prefix(100).map(\.id)
        let filter: Filter<Appointment> = \.seats > 25 && .contains(\.title, "99")
        return [
            try await allocations("list all", "GRDB", count) {
                _ = try await repository.list()
            } theirs: {
                _ = try peer.list()
            },
            try await allocations("list all with a mapping", "GRDB, by hand", count) {
                _ = try await byHand.list()
            } theirs: {
                _ = try plainPeer.listPlain()
            },
            try await allocations("read by id", "GRDB", ids.count) {
                for id in ids { _ = try await repository.find(id) }
            } theirs: {
                for id in ids { _ = try peer.read(id) }
            },
            try await allocations("count without an index", "GRDB", count) {
                _ = try await repository.count(where: filter)
            } theirs: {
                _ = try peer.count(seatsAbove: 25, titleContaining: "99")
            },
        ]
    }

    private func allocations(
        _ work: String, _ name: String, _ operations: Int, ours: () async throws -> Void, theirs: () throws -> Void
    ) async throws -> Comparison {
        var counts = [allocation_count()]
        try await ours()
        counts.append(allocation_count())
        try theirs()
        counts.append(allocation_count())
        let numbers = zip(counts.dropFirst(), counts).map { Double($0 - $1) / Double(operations) }
        return Comparison(
            "allocations: \(work), \(count) entities", .amount("blocks"), peer: name, ours: [numbers[0]],
            theirs: [numbers[1]])
    }

    /// Measures the memory that a store in memory takes for each entity, beside an array of the entities.
    func memory(_ mapping: some RecordMapping<Appointment>) async throws -> Comparison {
        var memory = [try AnonymousMemory.kibibytes()]
        let all = Appointment.all(count)
        memory.append(try AnonymousMemory.kibibytes())
        let store = MemoryDataStore()
        try await store.unitOfWork(mappings: [mapping]).perform {
            try $0.repository(of: Appointment.self).save(contentsOf: all)
        }
        memory.append(try AnonymousMemory.kibibytes())
        await store.close()
        let bytes = zip(memory.dropFirst(), memory).map { 1024 * Double($0 - $1) / Double(all.count) }
        return Comparison(
            "memory of a store in memory, each of \(count) entities", .amount("bytes"), peer: "array",
            ours: [bytes[1]], theirs: [bytes[0]])
    }
}
