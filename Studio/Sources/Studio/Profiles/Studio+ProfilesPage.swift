package import UserProfileKit

extension Studio {
    /// A page of profiles without the server. A benchmark compares the server with it.
    package struct PreparedPage: Sendable {
        /// The query that the page runs.
        package let query: Query<User>

        /// Returns the HTML of the page, which was read before.
        package let html: @Sendable () -> String
    }

    /// Reads a page of profiles without the server.
    ///
    /// - Parameter query: The query of the address of the page, e.g. `sort=birthday`.
    /// - Returns: The page.
    /// - Throws: `QueryError` if the query is invalid, or `RepositoryError` if the profiles cannot be read.
    package func profilesPage(_ query: String) async throws -> PreparedPage {
        let address = ProfilesAddress(Form(encoded: query))
        let page = try await ProfilesPage(
            address, in: storage.users, counts: counts, frame: frame, today: try clock.today(),
            editor: frame.isWritable ? ProfileEditor() : nil)
        return PreparedPage(query: try address.query()) { [templates] in templates.render(page) }
    }
}
