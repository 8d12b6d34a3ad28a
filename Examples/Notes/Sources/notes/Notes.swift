import ArgumentParser
import UserProfileKit

/// A command-line tool with its own entity.
@main
struct Notes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes", abstract: "Keep notes.", subcommands: [Add.self, List.self, Done.self, Remove.self])
}

extension Note.Priority: ExpressibleByArgument {}

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a note.")

    @Argument var title: String
    @Option(help: "The due date, yyyy-MM-dd.", transform: { try CalendarDate($0) }) var due: CalendarDate?
    @Option var priority = Note.Priority.normal
    @OptionGroup var notebook: Notebook

    func run() async throws {
        try await notebook.use { notes, settings in
            // Numbers are unique even if several programs add notes concurrently.
            let number = try await settings.update(.lastNumber) { $0 += 1 }
            try await notes.save(Note(id: number, title: title, priority: priority, due: due))
            print("added \(number)")
        }
    }
}

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List notes, sorted by due date.")

    @Flag(help: "Include notes that are done.") var all = false
    @Option(help: "List only notes that are due before a day: yyyy-MM-dd.", transform: { try CalendarDate($0) })
    var before: CalendarDate?
    @OptionGroup var notebook: Notebook

    func run() async throws {
        try await notebook.use { notes, _ in
            var filter: Filter<Note>?
            if !all { filter = \.isDone == false }
            if let before { filter = filter.map { $0 && \.due < before } ?? (\.due < before) }
            let query = Query(where: filter, sort: [.ascending(\.due), .ascending(\.id)])
            for note in try await notes.find(query).entities {
                let due = note.due.map { " (due \($0))" } ?? ""
                print("\(note.id) \(note.isDone ? "[x]" : "[ ]") \(note.title)\(due)")
            }
        }
    }
}

struct Done: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Mark a note as done.")

    @Argument var number: Int
    @OptionGroup var notebook: Notebook

    func run() async throws {
        try await notebook.use { notes, _ in
            try await notes.update(number) { note in
                guard note != nil else { throw ValidationError("the note \(number) does not exist") }
                note?.isDone = true
            }
        }
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a note.")

    @Argument var number: Int
    @OptionGroup var notebook: Notebook

    func run() async throws {
        try await notebook.use { notes, _ in
            guard try await notes.delete(number) else { throw ValidationError("the note \(number) does not exist") }
        }
    }
}
