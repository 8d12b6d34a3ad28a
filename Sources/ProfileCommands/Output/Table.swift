import ProfileFormats

/// A table of text. Its columns are aligned on a terminal, and separated by tabs elsewhere.
struct Table {
    private var rows: [[String]] = []
    private let rightAligned: Set<Int>

    /// Creates an empty table.
    ///
    /// - Parameter rightAligned: The numbers of the columns that are aligned right, counted from 0.
    init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

    mutating func add(_ cells: [String]) {
        // Tabs and line breaks in a cell are replaced, because tabs separate cells.
        rows.append(cells.map { Console.printable($0.split(whereSeparator: \.isNewline).joined(separator: " ")) })
    }

    /// Returns the lines of the table.
    func lines(aligned: Bool) -> [String] {
        guard aligned else { return rows.map { $0.joined(separator: "\t") } }
        let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
            rows.map { column < $0.count ? $0[column].displayWidth : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                cell.padded(to: widths[column], onLeft: rightAligned.contains(column))
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
