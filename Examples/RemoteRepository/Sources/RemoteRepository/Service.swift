import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import UserProfileDomain

/// The requests of the service. A failure is a `RepositoryError`.
struct Service: Sendable {
    /// The values of GET parameters. A name may occur several times.
    typealias Parameters = [(name: String, value: String)]

    private static let maximumByteCount = 64 << 20

    let url: String
    let client: HTTPClient

    func profile(_ id: UserID) async throws -> Profile? {
        let (status, body) = try await send(.GET, "/users/\(id.text.percentEncoded)", expecting: [.ok, .notFound])
        return status == .notFound ? nil : try decode(body)
    }

    func page(_ parameters: Parameters) async throws -> ProfilePage {
        try decode(try await send(.GET, "/users", parameters).body)
    }

    func count(_ parameters: Parameters) async throws -> Int {
        let count: UserCount = try decode(try await send(.GET, "/user-count", parameters).body)
        return count.count
    }

    /// Replaces or creates a user.
    func put(_ user: User) async throws { _ = try await put(user, headers: [:]) }

    /// Replaces a user, or creates it if the tag is `nil`.
    ///
    /// - Returns: Whether the user was in the state of the tag, or did not exist; otherwise nothing is changed.
    func put(_ user: User, replacing etag: String?) async throws -> Bool {
        try await put(user, headers: etag.map { ["If-Match": $0] } ?? ["If-None-Match": "*"])
    }

    private func put(_ user: User, headers: HTTPHeaders) async throws -> Bool {
        let body = try JSONEncoder().encode(NewProfile(mailAddress: user.mailAddress, birthday: user.birthday))
        let (status, _) = try await send(
            .PUT, "/users/\(user.id.text.percentEncoded)", headers: headers, body: body,
            expecting: [.noContent, .created, .preconditionFailed])
        return status != .preconditionFailed
    }

    func delete(_ id: UserID) async throws -> Bool {
        try await send(.DELETE, "/users/\(id.text.percentEncoded)", expecting: [.noContent, .notFound]).status
            == .noContent
    }

    /// Deletes users.
    ///
    /// - Returns: Whether all users were in the states of their tags; otherwise nothing is changed.
    func delete(_ profiles: [Profile]) async throws -> Bool {
        try await send(
            .POST, "/deletions", body: JSONEncoder().encode(profiles), expecting: [.noContent, .preconditionFailed]
        ).status == .noContent
    }

    func deleteAll(_ parameters: Parameters) async throws -> Int {
        let count: UserCount = try decode(try await send(.DELETE, "/users", parameters).body)
        return count.count
    }

    // MARK: Requests

    private func send(
        _ method: HTTPMethod, _ path: String, _ parameters: Parameters = [], headers: HTTPHeaders = [:],
        body: Data? = nil, expecting statuses: [HTTPResponseStatus] = [.ok]
    ) async throws -> (status: HTTPResponseStatus, body: ByteBuffer) {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        var request = HTTPClientRequest(url: "\(url)\(path)\(query.isEmpty ? "" : "?\(query)")")
        request.method = method
        request.headers = headers
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let status: HTTPResponseStatus
        let answer: ByteBuffer
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            status = response.status
            answer = try await response.body.collect(upTo: Self.maximumByteCount)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw RepositoryError(
                .unavailable, message: "\(method) \(path): the service does not respond: \(error)", underlying: error)
        }
        guard statuses.contains(status) else {
            let code: RepositoryError.Code =
                switch status.code {
                case 400..<500: .programmingError
                case 503: .unavailable
                default: .unexpected
                }
            throw RepositoryError(code, message: "\(method) \(path): \(status): \(String(buffer: answer))")
        }
        return (status, answer)
    }

    private func decode<Value: Decodable>(_ body: ByteBuffer) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw RepositoryError(.unexpected, message: "the response of the service is invalid", underlying: error)
        }
    }
}

extension String {
    /// The text with all bytes percent-encoded but letters, digits, `-` and `_`. Dots are encoded, too, because a path
    /// `..` has a meaning.
    fileprivate var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }
    }
}
