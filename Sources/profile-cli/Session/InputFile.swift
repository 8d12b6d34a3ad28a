import Foundation
import UserProfileDomain

/// A document that a command reads: a file, or standard input where its name is `-`.
struct InputFile {
    /// The most bytes of a document: what is larger is no weather document, and not all of `/dev/zero` is read.
    private static let maximumByteCount = 1 << 20

    private let path: String

    init(_ path: String) { self.path = path }

    /// The bytes of the document.
    func read() throws -> [UInt8] {
        let bytes: Data?
        do {
            let handle =
                path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
            bytes = try readAll(handle)
        } catch {
            let problem = FileProblem(error)
            throw UnreadableFile(
                message: "\(path.debugDescription) cannot be read: \(problem.words)", isForbidden: problem.isForbidden)
        }
        guard let bytes else {
            throw ValidationError(
                .weatherDocument, given: path, rule: "it has more than \(InputFile.maximumByteCount) bytes")
        }
        return Array(bytes)
    }

    /// Everything up to the end, or nil where it is too much. A pipe gives its data in pieces.
    private func readAll(_ handle: FileHandle) throws -> Data? {
        var bytes = Data()
        while bytes.count <= InputFile.maximumByteCount {
            guard let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty else { return bytes }
            bytes += piece
        }
        return nil
    }
}
