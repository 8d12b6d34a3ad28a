import Foundation
import Testing
import UserProfileKit

/// Tests of the program as a process that an operator ends.
@Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func signal(_ signal: Int32) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "profile-service-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = "lmdb:\(directory.path)"
        let saved = try await UserProfileStorage.open(StorageLocation(store))
        try await saved.profiles.saveMailAddress(MailAddress("vision@example.com"))
        await saved.close()
        let process = Process()
        process.executableURL = try #require(program)
        process.arguments = [store, "0"]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        var log = ""
        while !log.contains("listening on") {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the program ended: \(log)")
            log += String(decoding: data, as: UTF8.self)
        }
        #expect(kill(process.processIdentifier, signal) == 0)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let reopened = try await UserProfileStorage.open(StorageLocation(store))
        #expect(try await reopened.profiles.mailAddress()?.text == "vision@example.com")
        await reopened.close()
    }

    /// The program is built into the directory of the tests.
    private var program: URL? {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        return (executables.compactMap(\.self) + bundles)
            .map { $0.deletingLastPathComponent().appending(path: "ProfileService") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
