extension XMLReader {
    /// Passes over a value of another program, however deep, and sees to it that its tags fit.
    mutating func skipValue() throws(ParseFailure) {
        /// What is open: an array, or a dictionary with or without a key whose value is still to come.
        enum Open { case array, dictionary, entry }
        var open: [Open] = []
        repeat {
            let token = try next()
            switch (token, open.last) {
            case (.close(.array), .array), (.close(.dict), .dictionary): open.removeLast()
            case (.open(.key, let isEmpty), .dictionary):
                if !isEmpty { _ = try text(in: .key) }
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
                if !isEmpty { _ = try text(in: element) }
            }
            // That was a value: of an entry, it is its end.
            if open.last == .entry { open[open.count - 1] = .dictionary }
        } while !open.isEmpty
    }
}
