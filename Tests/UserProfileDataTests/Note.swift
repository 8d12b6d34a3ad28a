import DataStoreCore
import UserProfileData
import UserProfileDomain

/// An entity of an embedding program.
struct Note: Identifiable, Hashable, Sendable {
    let id: Int
    let text: String
}

struct NoteMapping: RecordMapping {
    let collection = "notes"
    let fieldNames = ["text"]

    func text(of id: Int) -> String { "\(id)" }

    func id(of text: String) throws -> Int {
        guard let id = Int(text) else { throw FieldError("id", "is not a number") }
        return id
    }

    func record(of note: Note) -> Record {
        ["text": .string(note.text)]
    }

    func entity(of record: borrowing RecordView, id: Int) throws -> Note {
        Note(id: id, text: try record.required("text"))
    }
}
