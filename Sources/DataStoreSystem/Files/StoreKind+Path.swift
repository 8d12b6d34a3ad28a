package import DataStoreCore

extension StoreKind {
    /// Converts the address in a location to a path. A leading `~/` becomes the home directory, because a shell does
    /// not expand the tilde after a scheme.
    ///
    /// - Throws: `DataStoreError` if the text is empty, or if it begins with `~/` and `HOME` is a relative path.
    package func path(from text: String) throws(DataStoreError) -> String {
        guard !text.isEmpty else { throw DataStoreError(.notAStore, "a path must follow \(scheme):") }
        guard text.hasPrefix("~/") else { return text }
        // The text is copied at once, because another thread may change the variable later.
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        if let home, !home.hasPrefix("/") {
            throw DataStoreError(.notAStore, "HOME is not an absolute path; correct it")
        }
        return (home ?? Account.homeDirectory ?? "") + text.dropFirst()
    }
}
