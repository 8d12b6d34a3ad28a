/// A part of a file that is damaged.
struct PlistLoss {
    /// What is damaged.
    enum Part: Hashable {
        /// A record, by its collection and id.
        case record(String)
        /// A collection, by its name.
        case collection(String)
        /// Another program's entry, by its key.
        case entry(String)
        /// What is around these, or none of them can be told.
        case file
    }

    let part: Part
    let failure: ParseFailure
    /// Whether more was passed over than the part, of which nothing is known.
    let hidesMore: Bool

    /// The failure of the part as one of the file.
    var asFailure: ParseFailure {
        let reason =
            switch part {
            case .record(let place): "the record \(place) is damaged: \(failure.reason)"
            case .collection(let name): "the collection \"\(name)\" is damaged: \(failure.reason)"
            case .entry(let key): "the entry \"\(key)\" is damaged: \(failure.reason)"
            case .file: failure.reason
            }
        return ParseFailure(kind: failure.kind, reason: reason, offset: failure.offset)
    }
}
