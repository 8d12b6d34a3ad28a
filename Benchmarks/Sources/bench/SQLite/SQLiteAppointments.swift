import Foundation
import GRDB

extension Appointment: FetchableRecord, PersistableRecord {
    static let databaseTableName = "appointments"
}

/// An appointment whose columns are read and written by hand, which is the fastest way in GRDB. A nested struct has two
/// columns, and an array is JSON.
struct PlainAppointment: FetchableRecord, PersistableRecord {
    static let databaseTableName = "plainAppointments"

    let appointment: Appointment

    init(_ appointment: Appointment) { self.appointment = appointment }

    init(row: Row) throws {
        guard let status = Appointment.Status(rawValue: row[2]) else { throw Failure("a status is unknown") }
        appointment = Appointment(
            id: row[0], title: row[1], status: status,
            startsAt: Date(timeIntervalSince1970: row[3]), seats: row[4], price: row[5], note: row[6],
            place: Appointment.Place(name: row[7], floor: row[8]),
            tags: try JSONDecoder().decode([String].self, from: row[9]))
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = appointment.id
        container["title"] = appointment.title
        container["status"] = appointment.status.rawValue
        container["startsAt"] = appointment.startsAt.timeIntervalSince1970
        container["seats"] = appointment.seats
        container["price"] = appointment.price
        container["note"] = appointment.note
        container["placeName"] = appointment.place.name
        container["placeFloor"] = appointment.place.floor
        container["tags"] = try JSONEncoder().encode(appointment.tags)
    }
}

/// The peer that keeps appointments in SQLite through GRDB, with the same indexes. A database has one of two tables: of
/// `Codable` records, or of records whose columns are read and written by hand.
final class SQLiteAppointments: Sendable {
    let path: String
    private let pool: DatabasePool

    init(path: String, isPlain: Bool = false) throws {
        self.path = path
        var configuration = Configuration()
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA mmap_size = 2147418112") }
        pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB opens a pool with NORMAL, with which a commit is not durable.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.write { database in
            try database.execute(
                sql: isPlain
                    ? """
                    CREATE TABLE plainAppointments (
                      id BLOB PRIMARY KEY NOT NULL, title TEXT, status TEXT, startsAt REAL, seats INTEGER, price REAL,
                      note TEXT, placeName TEXT, placeFloor INTEGER, tags TEXT
                    ) WITHOUT ROWID;
                    CREATE INDEX title ON plainAppointments(title);
                    CREATE INDEX start ON plainAppointments(status, startsAt);
                    """
                    : """
                    CREATE TABLE appointments (
                      id BLOB PRIMARY KEY NOT NULL, title TEXT, status TEXT, startsAt TEXT, seats INTEGER, price REAL,
                      note TEXT, place TEXT, tags TEXT
                    ) WITHOUT ROWID;
                    CREATE INDEX title ON appointments(title);
                    CREATE INDEX start ON appointments(status, startsAt);
                    """)
        }
    }

    func load(_ appointments: [Appointment]) throws {
        try pool.write { database in for appointment in appointments { try appointment.insert(database) } }
    }

    func loadPlain(_ appointments: [Appointment]) throws {
        try pool.write { database in
            for appointment in appointments { try PlainAppointment(appointment).insert(database) }
        }
    }

    /// Moves the write-ahead log into the database file, as closing the database does.
    func checkpoint() throws { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }

    func list() throws -> [Appointment] { try pool.read { try Appointment.order(Column("id")).fetchAll($0) } }

    func listPlain() throws -> [Appointment] {
        try pool.read { try PlainAppointment.order(Column("id")).fetchAll($0).map(\.appointment) }
    }

    func read(_ id: UUID) throws -> Appointment? { try pool.read { try Appointment.fetchOne($0, key: id) } }

    func page(_ status: Appointment.Status, after date: Date, _ limit: Int) throws -> [Appointment] {
        try pool.read { database in
            try Appointment.filter(Column("status") == status.rawValue && Column("startsAt") > date)
                .order(Column("startsAt"), Column("id")).limit(limit).fetchAll(database)
        }
    }

    func count(seatsAbove seats: Int, titleContaining text: String) throws -> Int {
        try pool.read { database in
            try Appointment.filter(Column("seats") > seats && Column("title").like("%\(text)%")).fetchCount(database)
        }
    }

    /// Reads an appointment, changes it, and saves it durably.
    func book(_ id: UUID) async throws {
        try await pool.write { database in
            guard var appointment = try Appointment.fetchOne(database, key: id) else { throw Failure("\(id)") }
            appointment.seats += 1
            try appointment.update(database)
        }
    }

    func remove(on stage: Stage) throws {
        try pool.close()
        for suffix in ["", "-wal", "-shm"] where stage.exists(path + suffix) { try stage.remove(path + suffix) }
    }
}
