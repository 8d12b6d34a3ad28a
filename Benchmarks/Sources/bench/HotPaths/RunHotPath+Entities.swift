import DataStoreLMDB
import UserProfileKit

extension RunHotPath {
    /// Repeats an operation on entities of a program. An operation of a list is one entity.
    func runEntities() async throws {
        let store = try LMDBDataStore(path: path + "-entities")
        let mapping = Appointment.mapping(in: "appointments", indexes: Appointment.indexes)
        let repository = try store.repository(mapping: mapping)
        let unit = try store.unitOfWork(mappings: [mapping])
        func load(_ numbers: some Sequence<Int> & Sendable) async throws {
            let appointments = numbers.map { Appointment($0) }
            try await unit.perform { try $0.repository(of: Appointment.self).save(contentsOf: appointments) }
        }
        if try await repository.count() == 0 { try await load(0..<profiles) }
        // As in the other hot paths, the work before the repetitions does not depend on their number.
        let some = (0..<500).map { Appointment($0 * 7919 % profiles) }
        for appointment in some { try check(await repository.find(appointment.id) == appointment) }
        switch hotPath {
        case .entityRead:
            for time in 0..<times {
                if case nil = try await repository.find(some[time % some.count].id) { try check(false) }
            }
        case .entityList:
            for _ in 0..<times / profiles { try check(await repository.list().count == profiles) }
        case .mappingList:
            let byHand = try store.repository(mapping: AppointmentMapping())
            for _ in 0..<times / profiles { try check(await byHand.list().count == profiles) }
        case .entityPage:
            let date = some[0].startsAt
            let query = Query<Appointment>(
                where: \.status == .done && \.startsAt >= date, sort: [.ascending(\.startsAt)], limit: 50)
            for _ in 0..<times { try check(await repository.find(query).entities.count == 50) }
        case .entityScan:
            let filter: Filter<Appointment> = \.seats > 25 && .contains(\.title, "99")
            for _ in 0..<times / profiles { try check(await repository.count(where: filter) > 0) }
        case .entitySave:
            for time in 0..<times {
                try await repository.update(some[time % some.count].id) { appointment in appointment?.seats += 1 }
            }
        default:
            let appointments = (profiles..<profiles + max(times, 4000)).map { Appointment($0) }
            let times = times
            try await unit.perform {
                try $0.repository(of: Appointment.self).save(contentsOf: Array(appointments.prefix(times)))
            }
        }
        await store.close()
    }
}
