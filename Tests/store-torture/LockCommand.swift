import CDataStoreSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `lock PATH`: holds the lock of a property-list file until there is input or the input ends, and leaves a partial
/// temporary file behind, like a process that was stopped in the middle of a save.
///
/// Writes `holding`.
struct LockCommand {
    private let path: String

    init(_ arguments: inout Arguments) throws { path = try arguments.text("path") }

    func run() throws {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // The calls use the paths only until they return.
        let half = unsafe open(
            "\(path[..<slash]).\(path[slash...]).saving-0123456789abc", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let lock = unsafe open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard half >= 0, unsafe write(half, "half", 4) == 4, up_lock(lock, 0, 1) == 0 else {
            throw Arguments.Problem(description: "it cannot be locked: \(errno)")
        }
        Output.line("holding")
        CurrentProcess.waitForInput()
        close(half)
        close(lock)
    }
}
