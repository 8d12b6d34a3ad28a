import ArgumentParser

/// An operation that programs perform frequently.
enum HotPath: String, CaseIterable, ExpressibleByArgument {
    case read
    case plistRead = "plist-read"
    case scan
    case save
    case find
    case page
    case birthdays
    case put
    case load
}
