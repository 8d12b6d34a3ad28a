@testable import DataStoreCore
@testable import DataStoreMemory
@testable import DataStorePlist

/// What must hold of the reading and writing of property-list files, for any input. Where something does not, the
/// program ends with the name of the property, and libFuzzer keeps the input.
enum PlistProperties {
    /// Any bytes are a file or refused, and what is read is written so that it is read as the same.
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

    /// What is written is read as the same, and written as the same again.
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

    /// What is recovered is a file without damage, with the records that were counted.
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

    /// As `precondition`, which keeps its message to itself in an optimized build.
    private static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fatalError(message()) }
    }
}
