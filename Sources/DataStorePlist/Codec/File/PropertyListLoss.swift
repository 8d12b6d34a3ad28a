/// A part of a damaged file that could not be read.
package struct PropertyListLoss: Sendable {
    /// The kind of the damaged part and its name, which is escaped for display.
    package enum Part: Hashable, Sendable {
        /// A record, given by its collection and id.
        case record(String)
        /// A collection, given by its name.
        case collection(String)
        /// An entry of another program, given by its key.
        case entry(String)
        /// A part that cannot be assigned to a record, a collection or an entry, e.g. the missing end of a truncated
        /// file.
        case file
    }

    /// The damaged part.
    package let part: Part
    /// The reason and the position of the damage.
    package let error: PropertyListError
    /// Whether other records or entries, whose keys are unknown, may be lost together with this part.
    package let hidesMore: Bool

    /// The error to throw for the whole file. Its reason names the damaged part.
    var errorOfFile: PropertyListError {
        let reason =
            switch part {
            case .record(let name): "the record \(name) is damaged: \(error.reason)"
            case .collection(let name): "the collection \"\(name)\" is damaged: \(error.reason)"
            case .entry(let key): "the entry \"\(key)\" is damaged: \(error.reason)"
            case .file: error.reason
            }
        return PropertyListError(reason, at: error.offset, error.kind)
    }
}
