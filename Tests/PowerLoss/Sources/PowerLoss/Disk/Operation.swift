import CRecorder

/// A recorded call that changes files, or a promise of the program.
struct Operation {
    /// The effect of a call. Files and directories are identified by the number of their inode.
    enum Effect {
        case none(inode: UInt64)
        case write(inode: UInt64, position: Int, bytes: [UInt8], isDurable: Bool)
        /// Stores through a shared mapping.
        case store(inode: UInt64, position: Int, bytes: [UInt8])
        case truncate(inode: UInt64, size: Int)
        case extend(inode: UInt64, size: Int)
        case sync(inode: UInt64)
        case syncAll
        /// Creates or links an entry.
        case add(inode: UInt64, isDirectory: Bool, directory: UInt64, name: String)
        case remove(directory: UInt64, name: String)
        case rename(directory: UInt64, name: String, newDirectory: UInt64, newName: String)
        /// Everything up to a number is durable.
        case acknowledge(Int)
    }

    /// The name of the call.
    let call: String
    let effect: Effect

    /// Parses the log of the recorder.
    static func all(in log: UnsafeRawBufferPointer) -> [Operation] {
        var operations: [Operation] = []
        var position = 0
        func take(_ count: UInt32) -> UnsafeRawBufferPointer {
            defer { position += Int(count) }
            return unsafe UnsafeRawBufferPointer(rebasing: log[position..<position + Int(count)])
        }
        func text(_ count: UInt32) -> String { unsafe String(decoding: take(count), as: UTF8.self) }
        while position < log.count {
            let record = unsafe take(UInt32(MemoryLayout<recorder_record>.size))
                .loadUnaligned(as: recorder_record.self)
            let call = text(record.call_count)
            let (name, otherName) = (text(record.name_count), text(record.other_name_count))
            let bytes = unsafe [UInt8](take(record.byte_count))
            operations.append(Operation(call: call, effect: Effect(record, name, otherName, bytes)))
        }
        return operations
    }
}

extension Operation.Effect {
    fileprivate init(_ record: recorder_record, _ name: String, _ otherName: String, _ bytes: [UInt8]) {
        let (inode, position) = (record.inode, Int(record.position))
        self =
            switch recorder_effect(record.effect) {
            case RECORDER_WRITE:
                .write(inode: inode, position: position, bytes: bytes, isDurable: record.is_durable != 0)
            case RECORDER_STORE: .store(inode: inode, position: position, bytes: bytes)
            case RECORDER_TRUNCATE: .truncate(inode: inode, size: position)
            case RECORDER_EXTEND: .extend(inode: inode, size: position)
            case RECORDER_SYNC: .sync(inode: inode)
            case RECORDER_SYNC_ALL: .syncAll
            case RECORDER_ENTRY where inode == 0: .remove(directory: record.directory, name: name)
            case RECORDER_ENTRY:
                .add(inode: inode, isDirectory: record.mode == 0o040000, directory: record.directory, name: name)
            case RECORDER_RENAME:
                .rename(
                    directory: record.directory, name: name, newDirectory: record.other_directory, newName: otherName)
            case RECORDER_ACKNOWLEDGE: .acknowledge(position)
            default: .none(inode: inode)
            }
    }
}
