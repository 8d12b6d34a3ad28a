/// The values that all pages show: the store, and whether pages can change it.
struct Frame: Sendable {
    /// The location of the store.
    let store: String

    /// Whether the pages can change the store.
    let isWritable: Bool
}

/// An item of the navigation, as the template `Layout` shows it.
struct NavigationItem: Sendable {
    let title: String
    let address: String
    let isCurrent: Bool

    /// Creates the items of all pages.
    ///
    /// - Parameter current: The address of the current page, without its query.
    /// - Returns: The items.
    static func items(current: String) -> [NavigationItem] {
        [
            ("Profiles", ProfilesAddress.path), ("Birthdays", BirthdaysPage.path), ("Weather", WeatherPage.path),
            ("Store", StorePage.path),
        ].map {
            title, address in
            NavigationItem(title: title, address: address, isCurrent: address == current)
        }
    }
}
