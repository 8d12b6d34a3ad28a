/// The elements of an XML property list.
enum XMLElement: String {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"
}
