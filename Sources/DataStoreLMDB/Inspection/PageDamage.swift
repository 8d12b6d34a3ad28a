/// An error which states that a page is damaged.
struct PageDamage: Error {
    /// The description of the damage, as a clause that follows the number of the page.
    let reason: String

    /// Whether the page is missing because the file ends before it.
    let isTruncated: Bool

    init(_ reason: String, isTruncated: Bool = false) {
        self.reason = reason
        self.isTruncated = isTruncated
    }
}
