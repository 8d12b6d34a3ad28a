import Synchronization

/// The right to use the studio: a one-time token, which the printed address contains, and the cookie that a browser
/// receives for it.
///
/// The address may remain in the history of the browser or on the screen, so its token is worthless after its first
/// use.
final class Access: Sendable {
    private let token = Mutex<String?>(Access.random())
    private let session = Access.random()

    /// The token, or `nil` after its use.
    var unusedToken: String? { token.withLock { $0 } }

    /// Exchanges the token for the value of the cookie.
    ///
    /// - Parameter candidate: The token of a request.
    /// - Returns: The value of the cookie, or `nil` if the token is wrong or was used before.
    func redeem(_ candidate: String) -> String? {
        token.withLock { token in
            guard let expected = token, Access.isEqual(expected, candidate) else { return nil }
            token = nil
            return session
        }
    }

    /// Returns whether the fields `Cookie` of a request contain the cookie.
    func admits(_ cookies: [String], port: Int) -> Bool {
        cookies.flatMap { $0.split(separator: ";") }.contains { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1).map { String($0.filter { $0 != " " }) }
            return parts.count == 2 && parts[0] == Access.cookieName(port) && Access.isEqual(session, parts[1])
        }
    }

    /// Cookies do not depend on the port, so the name contains it: two studios do not overwrite each other's cookie.
    static func cookieName(_ port: Int) -> String { "profile-studio-\(port)" }

    /// Compares two texts in a time that depends only on the length of the candidate.
    private static func isEqual(_ expected: String, _ candidate: String) -> Bool {
        let (expected, candidate) = (Array(expected.utf8), Array(candidate.utf8))
        guard expected.count == candidate.count else { return false }
        return zip(expected, candidate).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns 256 random bits of the system's generator as text.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in
            let digits = String(UInt8.random(in: 0...255, using: &generator), radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}
