/// The damage of a page.
struct PageDamage: Error {
    /// The description of the damage, as the end of a sentence that begins with the page.
    let reason: String

    /// Whether the file ends before the page.
    let isTruncated: Bool

    init(_ reason: String, isTruncated: Bool = false) {
        self.reason = reason
        self.isTruncated = isTruncated
    }
}
