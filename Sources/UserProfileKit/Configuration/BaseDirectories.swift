import DataStoreSystem

/// The directories of a program's data and configuration, according to the XDG Base Directory Specification.
///
/// As the specification requires, a variable `XDG_…` with a relative path is ignored.
struct BaseDirectories {
    let variables: [String: String]
    private let program: String

    init(program: String, _ variables: [String: String]) {
        self.program = program
        self.variables = variables
    }

    /// The path of the directory in which the program keeps its data.
    var data: String {
        #if os(macOS)
        directory("XDG_DATA_HOME", otherwise: "Library/Application Support")
        #else
        directory("XDG_DATA_HOME", otherwise: ".local/share")
        #endif
    }

    /// The path of the program's configuration file.
    var configurationFile: String { directory("XDG_CONFIG_HOME", otherwise: ".config") + "/config.json" }

    private func directory(_ name: String, otherwise path: String) -> String {
        let base = variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(base ?? "\(variables["HOME"] ?? Account.homeDirectory ?? "")/\(path)")/\(program)"
    }
}
