import UserProfileKit

/// The explanation of a query of profiles, and the fields of its form.
struct ExplanationView: Sendable {
    let filter: String
    let sort: String
    let error: QueryMistake?
    /// The index, what was read and what was found, in one sentence.
    let text: String?
    /// What to do if no index was used, or `nil`.
    let advice: String?

    /// Runs the query of an address, if it has one.
    init(_ form: Form, users: any Repository<User>) async {
        var address = ProfilesAddress(form)
        address.cursor = nil
        filter = address.filter ?? ""
        sort = address.sort ?? ""
        guard form["where"] != nil || form["sort"] != nil else {
            (error, text, advice) = (nil, nil, nil)
            return
        }
        do {
            let explanation = try await users.explain(try address.query())
            text = ExplanationView.sentence(explanation)
            advice =
                explanation.index == nil
                ? "The query reads profiles in the order of their ids until the page is full. An index can answer an"
                    + " order, and the comparisons =, <, <=, >, >=, in, between and begins." : nil
            error = nil
        } catch {
            let message = (error as? QueryError)?.description ?? Failure(error).message
            (self.error, text, advice) = (QueryMistake(message), nil, nil)
        }
    }

    private static func sentence(_ explanation: QueryExplanation) -> String {
        let profiles = explanation.entityCount.counted("profile")
        let found = "found \(explanation.foundCount.grouped)"
        guard let index = explanation.index else { return "\(found) without an index: read \(profiles)" }
        let entries =
            explanation.entryCount == 1 ? "1 index entry" : "\(explanation.entryCount.grouped) index entries"
        let names = index.ranges(of: " and ").isEmpty ? FieldWords.text(index) : index
        return "\(found) with the index \(names)\(explanation.isInOrder ? ", in index order" : ""): read \(entries)"
            + (explanation.entityCount == 0 ? "" : " and \(profiles)")
    }
}
