import ProfileFormats

extension String {
    /// Returns help that ArgumentParser has rendered without line breaks, with its prose wrapped to the width of the
    /// terminal.
    ///
    /// ArgumentParser would wrap every line, even in the middle of an example. The short form begins with the usage and
    /// has no discussion.
    func help(isShort: Bool, columns: Int) -> String {
        var isOverview = true
        var all = split(separator: "\n", omittingEmptySubsequences: false)
        if isShort, let usage = all.firstIndex(where: { $0.hasPrefix("USAGE: ") }) {
            // The options are listed below.
            let line = all[usage].replacing(#/ \[-[^\]]*\]/#, with: "") + " [options]"
            all = [line[...], "", all[0].dropFirst("OVERVIEW: ".count)] + all[(usage + 1)...]
            while all.last?.isEmpty == true { all.removeLast() }
            if !hasSuffix("detailed help.") { all += ["", "--help prints more, with examples."] }
        }
        let lines = all.map { line in
            if line.hasPrefix("USAGE: ") { isOverview = false }
            guard isOverview else { return line.wrappedOption(to: columns) }
            // Indented lines of an overview are examples and tables.
            return line.hasPrefix(" ") ? String(line) : line.wrapped(to: columns, indentation: 0)
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    /// Wraps a line that describes an option or a command. Returns any other line unchanged.
    fileprivate func wrappedOption(to columns: Int) -> String {
        // The column at which descriptions of options and commands begin.
        let column = 26
        let head = prefix(column)
        let isDescription = head.count == column && head.hasPrefix("  ") && head.hasSuffix(" ")
        guard isDescription else { return String(self) }
        return head + dropFirst(column).wrapped(to: columns, indentation: column)
    }

    /// Wraps a description at spaces. The first line is not indented, because the caller puts it after an option or a
    /// command. A word that is wider than a line is not split.
    fileprivate func wrapped(to columns: Int, indentation: Int) -> String {
        var text = ""
        var width = indentation
        for word in split(separator: " ") {
            let wordWidth = String(word).displayWidth
            if width > indentation, width + 1 + wordWidth > columns {
                text += "\n" + String(repeating: " ", count: indentation)
                width = indentation
            }
            if width > indentation {
                text += " "
                width += 1
            }
            text += word
            width += wordWidth
        }
        return text
    }
}
