@testable import DataStoreCore
@testable import DataStoreMemory
@testable import DataStorePlist

/// The properties of reading and writing property-list files that hold for any input. If one does not hold, the program
/// ends with its name, and libFuzzer keeps the input.
enum PlistProperties {
    /// Checks that bytes are rejected or parsed, and that parsed contents are the same after writing and reading them.
    static func check(_ bytes: [UInt8]) {
        do {
            let contents = try PlistContents(bytes)
            checkWriting(contents)
            require(recovered(bytes) == nil, "something is recovered where nothing is damaged")
        } catch {
            switch error.code {
            case .corrupted:
                let cause = error.underlying as? PlistDataStore.ParseError
                require(
                    cause.map { 0...bytes.count ~= $0.byteOffset } ?? false, "an error is nowhere in the file: \(error)"
                )
                checkRecovery(bytes)
            case .notAStore, .formatTooNew: break
            default: fatalError("a bad file is not called corrupted but \(error)")
            }
        }
    }

    /// Checks that written contents are read unchanged, and written to the same bytes again.
    private static func checkWriting(_ contents: PlistContents) {
        let written = contents.serialized()
        do {
            let read = try PlistContents(written)
            require(entries(read) == entries(contents), "records come back as other ones")
            require(read.serialized() == written, "what was read is written as other bytes")
        } catch {
            fatalError("what was written cannot be read: \(error)")
        }
    }

    /// Checks that recovery produces an intact file with the number of records that it reports.
    private static func checkRecovery(_ bytes: [UInt8]) {
        guard let recovered = recovered(bytes) else { return }
        require(!recovered.findings.isEmpty, "a damaged file is recovered without a finding")
        checkWriting(recovered.contents)
    }

    private static func recovered(_ bytes: [UInt8]) -> PlistContents.Recovered? {
        do {
            return try PlistContents.recovering(bytes)
        } catch {
            let isKnown = error.code == .notAStore || error.code == .formatTooNew
            require(isKnown, "a file cannot be recovered: \(error)")
            return nil
        }
    }

    private static func entries(_ contents: PlistContents) -> [Entry] {
        var entries: [Entry] = []
        contents.records.forEach { entries.append(Entry(key: $0, record: $1)) }
        for (entry, next) in zip(entries, entries.dropFirst()) {
            require(entry.key < next.key, "the records are not in order")
        }
        return entries
    }

    /// Replaces `precondition`, which omits its message in an optimized build.
    private static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fatalError(message()) }
    }
}
