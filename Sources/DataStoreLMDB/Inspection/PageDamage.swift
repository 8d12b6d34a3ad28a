/// The damage of a page.
struct PageDamage: Error {
    /// The description of the damage, as the end of a sentence that begins with the page.
    let reason: String

    /// Whether the file ends before the page.
    let isCutOff: Bool

    init(_ reason: String, isCutOff: Bool = false) {
        self.reason = reason
        self.isCutOff = isCutOff
    }
}
