/// The elements of an XML property list.
enum XMLElement: String {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"

    /// Creates the element with the given name. Returns `nil` if no element has this name.
    init?(name: ArraySlice<UInt8>) {
        // The length, the first letter and the last letter leave one candidate. A comparison with all names would be
        // too slow, because the reader looks up the name of each tag.
        let candidate: XMLElement
        switch (name.count, UnicodeScalar(name.first ?? 0), UnicodeScalar(name.last ?? 0)) {
        case (3, "k", _): candidate = .key
        case (4, "d", "t"): candidate = .dict
        case (4, "d", "a"): candidate = .data
        case (4, "d", _): candidate = .date
        case (4, "t", _): candidate = .yes
        case (4, _, _): candidate = .real
        case (5, "p", _): candidate = .plist
        case (5, "a", _): candidate = .array
        case (5, _, _): candidate = .no
        case (6, _, _): candidate = .string
        default: candidate = .integer
        }
        guard name.elementsEqual(candidate.rawValue.utf8) else { return nil }
        self = candidate
    }
}
