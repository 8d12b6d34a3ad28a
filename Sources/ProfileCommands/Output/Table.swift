/// A table of text. Its columns are aligned on a terminal, and separated by tabs elsewhere.
struct Table {
    private var header: [String]?
    private let isCut: Bool
    private let rightAligned: Set<Int>
    /// The width of each column of the table, in columns of the terminal. Widths never decrease, so that further pages
    /// of a list stay aligned.
    private var widths: [Int] = []

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - header: The names of the columns, which are printed above the first row of an aligned table. A table with
    ///     a header is cut to the width of the terminal.
    ///   - rightAligned: The indexes of the columns that are aligned right, counted from 0.
    init(header: [String]? = nil, rightAligned: Set<Int> = []) {
        self.header = header
        isCut = header != nil
        self.rightAligned = rightAligned
    }

    /// The minimum width to which a column is cut, in columns of the terminal.
    private static let minimumWidth = 10

    /// Returns one line for each row. If `aligned` is `true`, the columns are aligned, and the header precedes the
    /// first row of the table. If the lines are cut, the widest cells end with an ellipsis; cells that are aligned
    /// right are not cut. If `aligned` is `false`, tabs separate the cells.
    mutating func lines(_ rows: [[String]], aligned: Bool = Console.isTerminal) -> [String] {
        guard aligned else { return Table.plainLines(rows) }
        var rows = Table.printable(rows)
        if let header, !rows.isEmpty {
            rows.insert(header, at: 0)
            self.header = nil
        }
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.displayWidth)
            }
        }
        let width = isCut ? Console.outputWidth : nil
        let widths = width.map { fittedWidths(to: $0) } ?? widths
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let cut = cell.displayWidth > widths[column] ? cell.prefix(columns: widths[column] - 1) + "…" : cell
                return cut.padded(to: widths[column], onLeft: rightAligned.contains(column))
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns one line for each row, in which tabs separate the cells.
    static func plainLines(_ rows: [[String]]) -> [String] { printable(rows).map { $0.joined(separator: "\t") } }

    /// Returns the rows without tabs and line breaks in their cells, because tabs separate cells.
    private static func printable(_ rows: [[String]]) -> [[String]] {
        rows.map { $0.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ").printable } }
    }

    /// Returns the widths of the columns. While a line is wider than `width`, this function reduces the widest column
    /// that is not aligned right, down to ``minimumWidth``.
    private func fittedWidths(to width: Int) -> [Int] {
        var widths = widths
        var surplus = widths.reduce(0, +) + 2 * (widths.count - 1) - width
        let columns = widths.indices.filter { !rightAligned.contains($0) }
        while surplus > 0, let widest = columns.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.minimumWidth
        {
            widths[widest] -= 1
            surplus -= 1
        }
        return widths
    }
}
