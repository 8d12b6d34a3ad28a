import Foundation

/// A requirement on preferences, and its check.
struct Point: Sendable {
    /// The result of a check.
    struct Outcome {
        let isKept: Bool
        /// A short description of the observed behavior.
        let description: String
    }

    /// The name in tests and arguments.
    let name: String
    /// The requirement, as a sentence.
    let sentence: String
    let outcome: @Sendable (Stage) async throws -> Outcome

    static let all = [
        Point(name: "killed", sentence: "a saved value survives `kill -9` of the program") { stage in
            _ = try await stage.run("save", "mailAddress", "old@example.com")
            _ = try await stage.run("save-and-die", "mailAddress", "new@example.com")
            let found = try await stage.run("read", "mailAddress").output
            return Outcome(
                isKept: found == "new@example.com", description: found == "new@example.com" ? "kept" : "lost")
        },
        Point(name: "full-disk", sentence: "if the disk is full, the old contents remain and the save fails") { stage in
            _ = try await stage.run("save-long", "9000")
            let before = try Data(contentsOf: stage.file)
            let save = try await stage.run("save-on-full-disk", "mailAddress", "new@example.com")
            let after = try Data(contentsOf: stage.file)
            let isSame = before == after
            return Outcome(
                isKept: isSame && save.code == 1,
                description: isSame
                    ? "\(after.count) bytes unchanged\(save.code == 1 ? ", an error" : "")"
                    : "\(before.count) good bytes became \(after.count)\(stage.isWhole ? "" : ", torn")")
        },
        Point(
            name: "torn-file", sentence: "a torn file is an error, and the next save does not overwrite it"
        ) { stage in
            _ = try await stage.run("save-long", "9000")
            let torn = try Data(contentsOf: stage.file).prefix(2048)
            try torn.write(to: stage.file)
            let read = try await stage.run("read", "long")
            let save = try await stage.run("save", "mailAddress", "new@example.com")
            let isLeft = try Data(contentsOf: stage.file) == torn
            return Outcome(
                isKept: read.code == 1 && save.code == 1 && isLeft,
                description: (read.code == 1 ? "an error" : "read as \(read.output)")
                    + (isLeft ? ", unchanged" : ", overwritten"))
        },
        Point(name: "processes", sentence: "4 processes that save 25 values each lose no value") { stage in
            async let first = stage.run("save-many", "a", "25")
            async let second = stage.run("save-many", "b", "25")
            async let third = stage.run("save-many", "c", "25")
            async let fourth = stage.run("save-many", "d", "25")
            let runs = try await [first, second, third, fourth]
            var kept = 0
            for name in ["a", "b", "c", "d"] {
                kept += Int(try await stage.run("count", name, "25").output) ?? 0
            }
            let failures = runs.filter { $0.code != 0 }.map { ", one process exited with \($0.code): \($0.error)" }
            return Outcome(isKept: kept == 100, description: "\(kept) of 100 kept\(failures.joined())")
        },
        Point(name: "readers", sentence: "a reader never sees a partial file during a save") { stage in
            _ = try await stage.run("save-long", "500000")
            let isOver = Flag()
            async let saves: Void = {
                defer { isOver.raise() }
                _ = try await stage.run("save-many", "a", "50")
            }()
            var (good, torn) = (0, 0)
            while !isOver.isRaised {
                if stage.isWhole { good += 1 } else { torn += 1 }
                await Task.yield()
            }
            try await saves
            return Outcome(
                isKept: torn == 0 && good > 0, description: "\(torn) of \(good + torn) reads saw a torn file")
        },
        Point(name: "dates", sentence: "a date keeps its fraction of a second") { stage in
            _ = try await stage.run("save-date", "birthDay")
            let found = try await stage.run("read", "birthDay").output
            let isKept = found == Child.description(of: try Child.date())
            return Outcome(isKept: isKept, description: isKept ? "kept" : "became \(found)")
        },
        Point(name: "control-characters", sentence: "text with a control character leaves the file valid") { stage in
            _ = try await stage.run("save-control-character", "text")
            let isRaw = try Data(contentsOf: stage.file).contains(1)
            let found = try await stage.run("read", "text").output
            return Outcome(
                isKept: !isRaw && found == "a\u{1}b",
                description: isRaw ? "the file is not valid XML" : "valid, and reads back unchanged")
        },
        Point(name: "unsupported", sentence: "a value that cannot be saved is an error") { stage in
            let save = try await stage.run("save-unsupported")
            return Outcome(
                isKept: save.code == 1,
                description: save.code == 1 ? "an error" : save.code > 128 ? "the program crashes" : "no error")
        },
        Point(name: "arguments", sentence: "arguments of the program do not affect reads") { stage in
            _ = try await stage.run("save", "mailAddress", "saved@example.com")
            let found = try await stage.run("read", "mailAddress", options: ["-mailAddress", "typed@example.com"])
                .output
            return Outcome(isKept: found == "saved@example.com", description: found)
        },
    ]
}
