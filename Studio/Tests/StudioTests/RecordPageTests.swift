import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// The page of one record: its references in both directions, its JSON, and its form.
@Suite struct RecordPageTests {
    private static let frame = Frame(store: "memory:", isWritable: true)

    private struct Visit: Codable, Identifiable, Sendable, Queryable {
        let id: String
        var patientID: String
        var tags: [String]
        static let fields = EntityFields(of: Visit.self)
    }

    private struct Patient: Codable, Identifiable, Sendable {
        let id: String
        var name: String
    }

    /// Passes a storage with three visits of one patient to a closure.
    private func withVisits(_ body: (UserProfileStorage) async throws -> Void) async throws {
        try await UserProfileStorage.open(
            .memory,
            entities: [
                EntityType(Patient.self, in: "patients"),
                EntityType(
                    Visit.self, in: "visits",
                    references: [.to("patients", by: \.patientID)]),
            ]
        ).closing { storage in
            try await storage.repository(of: Patient.self).save(Patient(id: "p1", name: "Ada"))
            for number in 1...3 {
                try await storage.repository(of: Visit.self).save(
                    Visit(id: "v\(number)", patientID: "p1", tags: ["a", "b\(number)"]))
            }
            try await body(storage)
        }
    }

    private func key(_ collection: String, _ id: String) throws -> Key { try Key(collection: collection, id: id) }

    @Test("A reference leads to its record, and from there back")
    func references() async throws {
        try await withVisits { storage in
            let visit = try await RecordPage(RecordAddress(key("visits", "v2")), in: storage, frame: Self.frame)
            let field = try #require(visit.fields.first { $0.name == "patientID" })
            #expect(field.targets.map(\.address) == ["/record?collection=patients&id=p1"] && visit.referrers.isEmpty)
            let patient = try await RecordPage(RecordAddress(key("patients", "p1")), in: storage, frame: Self.frame)
            let referrers = try #require(patient.referrers.first)
            #expect(referrers.collection == "visits" && referrers.field == "patientID" && referrers.allAddress == nil)
            #expect(referrers.records.map(\.name) == ["v1", "v2", "v3"])
            #expect(referrers.records[1].address == RecordAddress(try key("visits", "v2")).text)
        }
    }

    @Test("Records are filtered by a value, by an element of an array, and by text without quotation marks")
    func filter() async throws {
        try await withVisits { storage in
            let all = try await RecordsPage(RecordsAddress("visits"), in: storage, frame: Self.frame)
            let link = try #require(all.rows[0].fields.first { $0.name == "patientID" }?.filterAddress)
            for (query, ids) in [
                (String(link.drop { $0 != "?" }.dropFirst()), ["v1", "v2", "v3"]),
                ("collection=visits&field=tags[]&value=b2", ["v2"]),
                ("collection=visits&field=patientID&value=p1&after=v1", ["v2", "v3"]),
                ("collection=visits&field=patientID&value=7", []),
            ] {
                let page = try await RecordsPage(
                    RecordsAddress(Form(encoded: query)), in: storage, frame: Self.frame)
                #expect(page.rows.map(\.id) == ids && page.isFiltered, "\(query)")
            }
            await #expect(throws: DataStoreError.self) {
                try await RecordsPage(
                    RecordsAddress(Form(encoded: "collection=visits&field=a..b&value=1")), in: storage,
                    frame: Self.frame)
            }
        }
    }

    @Test("A changed record is saved, and one that breaks a rule of the store is rejected with the reason")
    func editing() async throws {
        try await withVisits { storage in
            let key = try key("visits", "v1")
            let record = try #require(try await storage.records.read { try $0.record(for: key) })
            for (text, reason) in [
                ("{", "not JSON"), (#"{"id":"v1","patientID":"p9","tags":[]}"#, "does not exist"),
                (#"{"id":"v1","tags":[]}"#, "patientID"), ("[1]", "expected an object"),
            ] {
                var editor = try #require(RecordEditor(record)).filled(text)
                #expect(try await !editor.save(for: key, in: storage, now: .now))
                #expect(editor.error?.contains(reason) == true && editor.text == text, "\(editor.error ?? "")")
            }
            var editor = try #require(RecordEditor(record)).filled(#"{"id":"v1","patientID":"p1","tags":["new"]}"#)
            let outdated = editor
            #expect(try await editor.save(for: key, in: storage, now: .now))
            #expect(try await storage.repository(of: Visit.self).find("v1")?.tags == ["new"])

            // A form of the former record shows the change before it replaces it.
            editor = outdated.filled(#"{"id":"v1","patientID":"p1","tags":["late"]}"#)
            #expect(try await !editor.save(for: key, in: storage, now: .now))
            #expect(editor.error?.contains("changed meanwhile") == true)
            #expect(try await editor.save(for: key, in: storage, now: .now))
            try await storage.repository(of: Visit.self).delete("v1")
            #expect(try await !editor.save(for: key, in: storage, now: .now))
            #expect(editor.error?.contains("deleted meanwhile") == true)
        }
    }

    @Test("The JSON of a record can be saved again, whatever the record contains")
    func json() throws {
        let records: [Record] = [
            [:], ["$date": .string("x")], ["a": .integer(1), "b": .string("a\u{202E}\"\u{2028}\n"), "c": .real(.nan)],
            ["$data": .data([1]), "d": .array([.bool(true), .record(["x": .date(Timestamp.now)])])],
        ]
        for record in records {
            let text = RecordEditor.json(record)
            #expect(!text.unicodeScalars.contains { $0 != "\n" && InertText.isInvisible($0) })
            let parsed = try RecordJSON.record(parsing: Array(text.utf8))
            #expect(RecordJSON.text(.record(parsed)) == RecordJSON.text(.record(record)))
        }
        #expect(RecordEditor(["a": .string(String(repeating: "x", count: 10_000))]) == nil)
    }

    @Test("The form of a record saves it, and a studio that only reads has none")
    func form() async throws {
        for isWritable in [true, false] {
            try await RunningStudio.run(isWritable: isWritable) { studio in
                let key = try Key(collection: "notes", id: "1")
                try await studio.storage.records.write { try $0.put(["title": .string("milk")], for: key) }
                let cookie = try await studio.signIn()
                let page = try await studio.get("/record?collection=notes&id=1", cookie: cookie)
                #expect(page.contains("<textarea") == isWritable && page.contains("&quot;milk&quot;"))
                var form = Form()
                form["json"] = #"{"title":"bread"}"#
                let saved = page.split(separator: #"name="saved" value=""#).last ?? ""
                form["saved"] = String(saved.prefix { $0 != "\"" })
                let answer = try await studio.post("/record/save?collection=notes&id=1", form.encoded, cookie: cookie)
                #expect(answer.status == (isWritable ? 303 : 403))
                #expect(try await studio.get("/record?collection=notes&id=2", cookie: cookie).status == 404)
            }
        }
    }

    @Test("The name of an index in words")
    func words() {
        for (name, words) in [
            ("mailAddress:mailAddress.comparable@1", "mail address"), ("mailAddress-key", "mail address"),
            ("patientID", "patient ID"),
            ("birthday:date.monthDay@1", "month and day of birthday"), ("forecasts[].date", "date of forecasts"),
            ("[status, startsAt]", "status, then starts at"), ("birthday", "birthday"),
        ] {
            #expect(FieldWords.text(name) == words)
        }
    }

    @Test("A value in the table adds a condition to the query")
    func valueFilter() throws {
        var address = ProfilesAddress()
        address = address.adding("mail", "o'neil@example.com")
        #expect(address.filter == "mail = 'o''neil@example.com'")
        _ = try address.query()
        address.filter = "id = a or id = b"
        #expect(address.adding("day", "08-01").filter == "(id = a or id = b) and day = '08-01'")
        _ = try address.adding("day", "08-01").query()
    }
}

extension RecordEditor {
    /// Returns the form that a browser sends after the user has entered a text.
    fileprivate func filled(_ text: String) -> RecordEditor {
        var form = Form()
        form["json"] = text
        form["saved"] = saved
        return RecordEditor(form)
    }
}
