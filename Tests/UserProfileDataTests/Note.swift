import DataStoreCore
import UserProfileData
import UserProfileDomain

/// An entity of an embedding program, which expires.
struct Note: Identifiable, Hashable, Sendable, Expirable {
    let id: Int
    let text: String
    var currentSince = Instant(seconds: 0)
}

struct NoteMapping: RecordMapping {
    let collection = "notes"
    let fieldNames = ["text", "written"]

    func text(of id: Int) -> String { "\(id)" }

    func id(of text: String) throws -> Int {
        guard let id = Int(text) else { throw FieldError("id", "is not a number") }
        return id
    }

    func record(of note: Note) -> Record {
        var record: Record = ["text": .string(note.text)]
        if note.currentSince.seconds != 0 { record["written"] = .integer(note.currentSince.seconds) }
        return record
    }

    func entity(of record: borrowing RecordView, id: Int) throws -> Note {
        Note(
            id: id, text: try record.required("text"),
            currentSince: Instant(seconds: try record.optional("written") ?? 0))
    }
}
