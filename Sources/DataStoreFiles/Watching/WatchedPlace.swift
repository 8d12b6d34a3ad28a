/// A name in a directory, whether there is anything of that name or not.
package struct WatchedPlace: Hashable, Sendable {
    /// The path of the directory.
    package let directory: String
    /// The name in it.
    package let name: String

    /// Makes a place of its parts.
    package init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    /// The place of the directory itself, in the one above it; nil for the root.
    var above: WatchedPlace? {
        let slash = UInt8(ascii: "/")
        var path = directory.utf8[...]
        while path.count > 1, path.last == slash { path.removeLast() }
        guard let last = path.lastIndex(of: slash), path.count > 1 else { return nil }
        let parent = last == path.startIndex ? "/" : String(path[..<last]) ?? "/"
        return WatchedPlace(directory: parent, name: String(path[path.index(after: last)...]) ?? "")
    }
}
