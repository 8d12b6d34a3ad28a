/// A part of a damaged file that could not be read.
package struct PropertyListLoss: Sendable {
    /// The damaged part. Names are escaped for display.
    package enum Part: Hashable, Sendable {
        /// A record, by its collection and id.
        case record(String)
        /// A collection, by its name.
        case collection(String)
        /// An entry of another program, by its key.
        case entry(String)
        /// The rest of the file, or a part that cannot be identified.
        case file
    }

    /// The damaged part.
    package let part: Part
    /// The reason and the position.
    package let error: PropertyListError
    /// Whether an unknown number of other records or entries was skipped together with the part.
    package let hidesMore: Bool

    /// The error with the damaged part in its reason.
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
