extension XMLReader {
    /// Skips a value of any depth and checks that its tags match.
    mutating func skipValue() throws(PropertyListError) {
        /// An open container: an array, a dictionary before a key, or a dictionary before the value of a key.
        enum Open { case array, dictionary, entry }
        var open: [Open] = []
        repeat {
            let token = try next()
            switch (token, open.last) {
            case (.close(.array), .array), (.close(.dict), .dictionary): open.removeLast()
            case (.open(.key, let isEmpty), .dictionary):
                if !isEmpty { _ = try content(of: .key) }
                open[open.count - 1] = .entry
                continue
            case (.open(.key, _), _), (.open(.plist, _), _), (.close, _), (.end, _), (_, .dictionary):
                throw unexpected(open.last == .dictionary ? "a key or the end of a dictionary" : "a value")
            case (.open(.dict, isEmpty: false), _):
                open.append(.dictionary)
                continue
            case (.open(.array, isEmpty: false), _):
                open.append(.array)
                continue
            case (.open(let element, let isEmpty), _):
                if !isEmpty { _ = try content(of: element) }
            }
            // The value is complete, and so is the entry that contains it.
            if open.last == .entry { open[open.count - 1] = .dictionary }
        } while !open.isEmpty
    }
}
