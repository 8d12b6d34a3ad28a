@testable import DataStoreCore
@testable import DataStorePlist
import FuzzSupport
@testable public import DataStorePlist

/// The properties of reading and writing property-list files that hold for any input. If one does not hold, the program
/// ends with its name, and libFuzzer keeps the input.
public enum PlistProperties {
    /// Checks that bytes are rejected or parsed, and that parsed contents are the same after writing and reading them.
    ///
    /// - Returns: Whether the bytes are in the format. The properties hold for other bytes, too.
    public static func check(_ bytes: [UInt8], _ format: PlistDataStore.Format) -> Bool {
        do {
            let contents = try PlistContents(bytes)
            checkWriting(contents)
            require(recovered(bytes)?.losses.isEmpty == true, "an intact file has losses")
            checkOtherFormat(bytes)
        } catch {
            switch error.code {
            case .corrupted:
                let cause = error.underlying as? PropertyListError
                require(
                    cause.map { 0...bytes.count ~= $0.offset } ?? false, "an error is nowhere in the file: \(error)"
                )
                checkRecovery(bytes)
            case .notAStore, .unsupportedFormat: break
            default: fatalError("a damaged file has another error than corrupted: \(error)")
            }
        }
        checkRootEntries(bytes)
        return PlistDataStore.Format(firstBytes: bytes) == format
    }

    /// Checks that written contents are read unchanged, and written to the same bytes again. A recovered file may
    /// contain unused objects of damaged entries, which the second write omits.
    private static func checkWriting(_ contents: PlistContents, isRecovered: Bool = false) {
        let written = contents.serialized()
        do {
            let read = try PlistContents(written)
            require(entries(read) == entries(contents), "records come back as other ones")
            if isRecovered { return checkWriting(read) }
            require(read.serialized() == written, "contents that were read are written as different bytes")
        } catch {
            fatalError("written contents cannot be read: \(error)")
        }
    }

    /// Checks that records are the same after they were written in the other format.
    private static func checkOtherFormat(_ bytes: [UInt8]) {
        guard let format = PlistDataStore.Format(firstBytes: bytes) else { fatalError("the file has no format") }
        let other: PlistDataStore.Format = format == .xml ? .binary : .xml
        do {
            let list = try PropertyList(bytes)
            let read = try PropertyList(PropertyListTemplate(format: other).bytes(of: list.entries))
            require(read.losses.isEmpty, "the other format has losses")
            require(read.entries == list.entries, "the other format holds other records")
        } catch {
            fatalError("the records cannot be read from the other format: \(error)")
        }
    }

    /// Checks that entries of other programs are read in the same way each time, or rejected.
    private static func checkRootEntries(_ bytes: [UInt8]) {
        let names = ["UserProfile", "a", "mail", "Other"]
        func entries() -> Record? {
            do {
                return try PropertyList.rootEntries(names, of: bytes)
            } catch {
                require(0...bytes.count ~= error.offset, "an error is nowhere in the file: \(error)")
                return nil
            }
        }
        let first = entries()
        require(first == entries(), "entries are read as other ones the second time")
        require(first?.allSatisfy { names.contains($0.name) } ?? true, "an entry was read that was not requested")
    }

    /// Checks that recovery produces an intact file with the number of records that it reports.
    private static func checkRecovery(_ bytes: [UInt8]) {
        guard let recovered = recovered(bytes) else { return }
        require(!recovered.losses.isEmpty, "a damaged file is recovered without a finding")
        checkWriting(recovered, isRecovered: true)
    }

    private static func recovered(_ bytes: [UInt8]) -> PlistContents? {
        do {
            return try PlistContents(recovering: bytes)
        } catch {
            let isKnown = error.code == .notAStore || error.code == .unsupportedFormat
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
}
