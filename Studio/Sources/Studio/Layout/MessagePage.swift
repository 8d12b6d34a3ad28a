/// A page with one message, e.g. of an error.
struct MessagePage: Page {
    static let template = "Message"

    let frame: Frame
    let navigation = NavigationItem.items(current: "")
    let title: String
    let message: String
}
