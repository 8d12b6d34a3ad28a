import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ProfileRoutes
import Testing
import UserProfileKit

/// Tests of the service with a store in memory, without sockets and files.
@Suite struct ProfileRoutesTests {
    private func withService(
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let application = Application(responder: ProfileRoutes(storage).router().buildResponder())
        try await application.test(.router, body)
        await storage.close()
    }

    private func put(
        _ path: String, _ body: String, _ client: any TestClientProtocol
    ) async throws -> HTTPResponse.Status {
        try await client.execute(uri: path, method: .put, body: ByteBuffer(string: body)) { $0.status }
    }

    private func get(_ path: String, _ client: any TestClientProtocol) async throws -> (HTTPResponse.Status, String) {
        try await client.execute(uri: path, method: .get) { ($0.status, String(buffer: $0.body)) }
    }

    @Test func showAfterPut() async throws {
        try await withService { client in
            #expect(try await get("/users/me", client).0 == .notFound)
            let address = try await put("/users/me/mail-address", #"{"mailAddress": "vision@example.com"}"#, client)
            let birthday = try await put("/users/me/birthday", #"{"birthday": "2011-08-01"}"#, client)
            #expect(address == .noContent && birthday == .noContent)
            let (status, body) = try await get("/users/me", client)
            #expect(status == .ok)
            #expect(body.contains(#""mailAddress":"vision@example.com""#) && body.contains(#""birthday":"2011-08-01""#))
        }
    }

    @Test func pagination() async throws {
        try await withService { client in
            for id in ["a", "b", "c"] {
                _ = try await put("/users/\(id)/mail-address", #"{"mailAddress": "\#(id)@example.com"}"#, client)
            }
            let first = try await get("/users?limit=2", client).1
            let second = try await get("/users?limit=2&after=b", client).1
            #expect(first.contains(#""id":"a""#) && first.contains(#""id":"b""#) && !first.contains(#""id":"c""#))
            #expect(second.contains(#""id":"c""#) && !second.contains(#""id":"b""#))
            #expect(try await get("/users?limit=0", client).0 == .badRequest)
        }
    }

    @Test func queries() async throws {
        try await withService { client in
            for (id, birthday) in [("a", "1999-12-31"), ("b", "2000-01-01"), ("c", "1980-02-29")] {
                _ = try await put("/users/\(id)/birthday", #"{"birthday": "\#(birthday)"}"#, client)
            }
            let condition = "where=birthday%20<%202000-01-01%20and%20not%20mail%20exists"
            let first = try await get("/users?\(condition)&sort=birthday%20desc&limit=1", client).1
            #expect(first.contains(#""id":"a""#) && first.contains(#""next":["1999-12-31","a"]"#))
            let rest = "&after=1999-12-31&after=a"
            let second = try await get("/users?\(condition)&sort=birthday%20desc\(rest)", client).1
            #expect(second.contains(#""id":"c""#) && !second.contains(#""id":"a""#) && !second.contains("next"))
            #expect(try await get("/user-count?\(condition)", client).1 == #"{"count":2}"#)
            for bad in ["where=size=1", "where=", "where=id%20=%20%27a", "sort=size", "sort=birthday&after=a"] {
                #expect(try await get("/users?\(bad)", client).0 == .unprocessableContent, "\(bad)")
            }
            let status = try await client.execute(uri: "/users", method: .delete) { $0.status }
            #expect(status == .badRequest)
            #expect(try await get("/user-count", client).1 == #"{"count":3}"#)
        }
    }

    @Test func preconditions() async throws {
        try await withService { client in
            func put(_ birthday: String, _ headers: HTTPFields) async throws -> HTTPResponse.Status {
                try await client.execute(
                    uri: "/users/me", method: .put, headers: headers,
                    body: ByteBuffer(string: #"{"birthday": "\#(birthday)"}"#)
                ) { $0.status }
            }
            #expect(try await put("2011-08-01", [.ifNoneMatch: "*"]) == .created)
            #expect(try await put("2011-08-02", [.ifNoneMatch: "*"]) == .preconditionFailed)
            let tag = try await client.execute(uri: "/users/me", method: .get) { try #require($0.headers[.eTag]) }
            #expect(try await put("2011-08-02", [.ifMatch: tag]) == .noContent)
            #expect(try await put("2011-08-03", [.ifMatch: tag]) == .preconditionFailed)
            let body = try JSONEncoder().encode([["id": "me", "etag": tag]])
            let status = try await client.execute(uri: "/deletions", method: .post, body: ByteBuffer(bytes: body)) {
                $0.status
            }
            #expect(status == .preconditionFailed)
            #expect(try await get("/users/me", client).1.contains("2011-08-02"))
        }
    }

    @Test func invalidRequests() async throws {
        try await withService { client in
            let bad = try await client.execute(
                uri: "/users/me/mail-address", method: .put,
                body: ByteBuffer(string: #"{"mailAddress": "vision@@example"}"#)
            ) { ($0.status, String(buffer: $0.body)) }
            #expect(bad.0 == .unprocessableContent && bad.1.contains("is not a mail address"))
            #expect(
                try await put("/users/me/birthday", #"{"birthday": "2999-01-01"}"#, client) == .unprocessableContent)
            #expect(try await put("/users/me/birthday", "{", client) == .badRequest)
            #expect(try await put("/users/me/birthday", "{}", client) == .badRequest)
            #expect(try await get("/users/me", client).0 == .notFound)
        }
    }

    @Test func deletion() async throws {
        try await withService { client in
            _ = try await put("/users/me/birthday", #"{"birthday": "2011-08-01"}"#, client)
            let statuses = try await [
                client.execute(uri: "/users/me", method: .delete) { $0.status },
                client.execute(uri: "/users/me", method: .delete) { $0.status },
            ]
            #expect(statuses == [.noContent, .notFound])
        }
    }

    @Test func internalError() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let application = Application(responder: ProfileRoutes(storage).router().buildResponder())
        await storage.close()
        try await application.test(.router) { client in
            let (status, body) = try await get("/users/me", client)
            #expect(status == .internalServerError && body.isEmpty)
        }
    }
}
