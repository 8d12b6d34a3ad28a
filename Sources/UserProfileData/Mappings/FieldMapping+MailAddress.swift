import DataStoreCore
import DataStoreQueries
import UserProfileDomain

extension FieldMapping {
    /// A mail address that is stored as it was typed, and compared ignoring the ASCII case of the domain.
    static func mailAddress(storedIn name: String) -> FieldMapping {
        let address = QueryField.comparableMailAddress(storedIn: name)
        let domain = QueryField("\(name).domain", from: name) { value in
            guard let text = value.string, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
            return .string(String(MailAddress.comparable(String(text[at...])).dropFirst()))
        }
        return FieldMapping(
            address,
            begins: { .or([.beginsWith(address, $0), .beginsWith(address, MailAddress.comparable($0))]) },
            contains: { text in
                // Text without an @ is in the local part, where case counts, or in the domain, where it does not.
                let inDomain = String(MailAddress.comparable("@\(text)").dropFirst())
                return .or([
                    .contains(address, text), .contains(address, MailAddress.comparable(text)),
                    .contains(domain, inDomain),
                ])
            })
    }
}

extension QueryField {
    /// A mail address as it is compared.
    static func comparableMailAddress(storedIn name: String) -> QueryField {
        QueryField("\(name).comparable", from: name) { value in
            value.string.map { .string(MailAddress.comparable($0)) }
        }
    }
}
