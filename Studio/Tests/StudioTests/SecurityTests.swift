import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// Tests of the protection of the server, with requests that no browser would send.
@Suite struct SecurityTests {
    @Test("The token opens a session once, and leaves the address")
    func token() async throws {
        try await RunningStudio.run { studio in
            let first = try await studio.get("/?token=\(studio.token)", cookie: nil)
            #expect(first.status == 303 && first.field("Location") == "/")
            let cookie = try #require(first.field("Set-Cookie"))
            #expect(cookie.hasPrefix("profile-studio-\(studio.port)="))
            for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] {
                #expect(cookie.split(separator: "; ").contains { $0 == attribute })
            }
            #expect(try await studio.get("/?token=\(studio.token)", cookie: nil).status == 403)
            let session = String(cookie.prefix { $0 != ";" })
            #expect(try await studio.get("/profiles", cookie: session).status == 200)
            // A browser with access may open the address again, and receives no other cookie.
            let again = try await studio.get("/?token=\(studio.token)", cookie: session)
            #expect(again.status == 303 && again.field("Location") == "/" && again.field("Set-Cookie") == nil)
        }
    }

    @Test("A request without the cookie, or with a wrong one, is rejected")
    func cookie() async throws {
        try await RunningStudio.run { studio in
            let name = "profile-studio-\(studio.port)"
            for cookie in [nil, "\(name)=", "\(name)=\(String(repeating: "0", count: 64))", "other=1"] {
                for path in ["/", "/profiles", "/profile?id=me", "/studio.js", "/nowhere", "/?token=1", "/?token="] {
                    let response = try await studio.get(path, cookie: cookie)
                    #expect(response.status == 403, "\(path)")
                }
            }
        }
    }

    @Test("Only the exact address of the server is answered")
    func host() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            for host in [
                "localhost:\(studio.port)", "127.0.0.1", "127.0.0.1:\(studio.port + 1)", "evil.example:\(studio.port)",
                "127.0.0.1:\(studio.port).evil.example", "user@127.0.0.1:\(studio.port)", "",
                "127.0.0.1:\(studio.port)/",
            ] {
                let response = try await RawRequest.response(
                    to:
                        "GET /profiles HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n",
                    at: studio.port)
                #expect(response.status == 421, "\(host)")
            }
            for head in [
                "GET /profiles HTTP/1.1\r\n",
                "GET /profiles HTTP/1.1\r\nHost: evil.example\r\nHost: \(studio.host)\r\n",
                "GET /profiles HTTP/1.1\r\nHost: \(studio.host)\r\nHost: evil.example\r\n",
                "GET /profiles HTTP/1.1\r\nHost: \(studio.host)\r\nHost: \(studio.host)\r\n",
                "GET http://evil.example/profiles HTTP/1.1\r\nHost: \(studio.host)\r\n",
                "GET http://\(studio.host).evil.example/profiles HTTP/1.1\r\nHost: \(studio.host)\r\n",
                "GET http://evil.example/profiles HTTP/1.1\r\nHost: evil.example\r\n",
                "GET http://\(studio.host)/profiles HTTP/1.1\r\nHost: evil.example\r\n",
                "GET https://\(studio.host)/profiles HTTP/1.1\r\nHost: \(studio.host)\r\n",
            ] {
                let response = try await RawRequest.response(
                    to:
                        head + "Cookie: \(cookie)\r\nConnection: close\r\n\r\n", at: studio.port)
                #expect((400..<500).contains(response.status), "\(head)")
            }
            let absolute = try await studio.get("http://\(studio.host)/profiles", cookie: cookie)
            #expect(absolute.status == 200)
        }
    }

    @Test("The response to HEAD has the header of the response to GET, and no body")
    func head() async throws {
        try await RunningStudio.run { studio in
            func head(_ path: String, _ cookie: String?) async throws -> String {
                let cookie = cookie.map { "Cookie: \($0)\r\n" } ?? ""
                return try await RawRequest.response(
                    to: "HEAD \(path) HTTP/1.1\r\nHost: \(studio.host)\r\n\(cookie)Connection: close\r\n\r\n",
                    at: studio.port)
            }
            // HEAD does not use up the token.
            #expect(try await head("/?token=\(studio.token)", nil).status == 403)
            let cookie = try await studio.signIn()
            for (path, cookie) in [
                ("/", cookie), ("/profiles", cookie), ("/studio.js", cookie), ("/nowhere", cookie),
                ("/profile?id=me", cookie), ("/profile?id=", cookie), ("/profiles", nil),
            ] {
                let (head, get) = (try await head(path, cookie), try await studio.get(path, cookie: cookie))
                #expect(head.status == get.status && head.hasSuffix("\r\n\r\n"), "\(path)")
                for field in ["Content-Length", "Content-Type", "Content-Security-Policy"] {
                    #expect(head.field(field) == get.field(field), "\(path): \(field)")
                }
            }
            let stream = try await head("/profiles/events", cookie)
            #expect(stream.status == 405 && stream.field("Allow") == "GET" && stream.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("A change needs a page of the studio as its origin")
    func origin() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            for fields in [
                "", "Origin: null\r\n", "Origin: http://evil.example\r\n",
                "Origin: http://localhost:\(studio.port)\r\n",
                "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n", "Sec-Fetch-Site: none\r\n",
                "Sec-Fetch-Site: cross-site\r\nOrigin: http://\(studio.host)\r\n",
            ] {
                #expect(try await studio.post("/profiles/create", "id=a", cookie: cookie, fields: fields).status == 403)
            }
            #expect(try await studio.storage.users.count() == 0)
            for (id, fields) in [
                ("a", "Sec-Fetch-Site: same-origin\r\n"), ("b", "Origin: http://\(studio.host)\r\n"),
            ] {
                #expect(
                    try await studio.post("/profiles/create", "id=\(id)", cookie: cookie, fields: fields).status == 303)
            }
            #expect(try await studio.storage.users.count() == 2)
        }
    }

    @Test("Other methods are rejected", arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"])
    func methods(_ method: String) async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let response = try await RawRequest.response(
                to:
                    "\(method) /profiles HTTP/1.1\r\nHost: \(studio.host)\r\n"
                    + "Cookie: \(cookie)\r\nConnection: close\r\n\r\n",
                at: studio.port)
            #expect((400..<500).contains(response.status) && !response.contains("<html"))
        }
    }

    @Test("Every response restricts what the browser does with it")
    func headers() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            for (path, cookie) in [
                ("/profiles", cookie), ("/studio.js", cookie), ("/nowhere", cookie), ("/profile?id=", cookie),
                ("/profiles", nil),
            ] {
                let response = try await studio.get(path, cookie: cookie)
                let policy = response.field("Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
                #expect(response.field("Cache-Control") == "no-store")
                #expect(response.field("X-Content-Type-Options") == "nosniff")
                #expect(response.field("Cross-Origin-Resource-Policy") == "same-origin")
                #expect(response.field("Access-Control-Allow-Origin") == nil)
            }
        }
    }

    @Test("Without --write, nothing can be changed")
    func readOnly() async throws {
        try await RunningStudio.run(isWritable: false) { studio in
            try await studio.storage.users.save(User(id: .me))
            let cookie = try await studio.signIn()
            for path in ["/profiles/create", "/profile/mail?id=me", "/profile/birthday?id=me", "/profile/delete?id=me"]
            {
                let response = try await studio.post(
                    path, "id=a&mail=a@example.com&birthday=2000-01-01", cookie: cookie)
                #expect(response.status == 403 && response.contains("--write"), "\(path)")
            }
            #expect(try await studio.storage.users.list() == [User(id: .me)])
            for path in ["/profiles", "/profile?id=me"] {
                #expect(try await !studio.get(path, cookie: cookie).contains(#"method="post""#))
            }
        }
    }

    @Test("A body is limited in size, and only forms are read")
    func bodies() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let large = String(repeating: "a", count: Form.maximumByteCount + 1)
            #expect(try await studio.post("/profiles/create", "id=" + large, cookie: cookie).status == 413)
            let head = """
                POST /profiles/create HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n\
                Sec-Fetch-Site: same-origin\r\n
                """
            // The server closes the connection of an endless body.
            let chunk = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
            let endless = try await RawRequest.response(
                to:
                    head + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: chunk, count: 2000), at: studio.port)
            #expect(endless.isEmpty || endless.status == 413)
            let json = try await RawRequest.response(
                to:
                    head + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
                at: studio.port)
            #expect(json.status == 415)
            #expect(try await studio.storage.users.count() == 0)
            for (index, type) in [
                "Application/X-WWW-Form-URLEncoded", "application/x-www-form-urlencoded ; Charset=UTF-8",
            ].enumerated() {
                let form = try await RawRequest.response(
                    to: head + "Content-Type: \(type)\r\nContent-Length: 4\r\nConnection: close\r\n\r\nid=\(index)",
                    at: studio.port)
                #expect(form.status == 303, "\(type)")
            }
            let header = try await studio.get(
                "/profiles", cookie: cookie, fields: "X: \(String(repeating: "a", count: 40_000))\r\n")
            #expect((400..<500).contains(header.status))
        }
    }

    @Test("A client that sends its body too slowly is disconnected")
    func slowBody() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let response = try await RawRequest.response(
                to:
                    """
                    POST /profiles/create HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n\
                    Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                    Content-Length: 100\r\n\r\nid=a
                    """, at: studio.port, seconds: 60)
            #expect(response.status == 408)
        }
    }

    /// Text that would be markup, control a terminal, or reorder other text, if it was not escaped.
    static let hostileTexts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)", "{{id}}", "{{{id}}}",
        // A quotation mark with a combining character is one character, but the browser sees the mark.
        "\"\u{301} autofocus onfocus=alert(1) x=\"\u{301}", "<\u{338}b>",
    ]

    @Test("Stored text is shown and never becomes markup", arguments: hostileTexts)
    func markup(_ text: String) async throws {
        try await RunningStudio.run { studio in
            try await studio.storage.users.save(User(id: try UserID(text)))
            let cookie = try await studio.signIn()
            var query = Form()
            query["id"] = text
            var filter = Form()
            filter["where"] = text
            filter["sort"] = text
            for path in [
                "/profiles", query.address("/profile"), filter.address("/profiles"), query.address("/nowhere"),
            ] {
                let page = try await studio.get(path, cookie: cookie)
                for markup in ["<script>alert", "<img src=x", "<\u{338}b>", "\"\u{301}", "' onfocus", "\"><img"] {
                    #expect(!page.unicodeScalars.contains(markup.unicodeScalars), "\(path): \(markup)")
                }
            }
            let list = try await studio.get("/profiles", cookie: cookie)
            #expect(list.contains(InertText().escapeText(text)))
        }
    }

    @Test("Control characters and marks of text direction are shown by their codes")
    func controls() {
        let text = "a\u{202E}b\u{1B}[2J\u{0}\u{2066}\u{85}\u{2028}c\nd"
        #expect(InertText().escapeText(text) == #"a\u{202E}b\u{1B}[2J\u{0}\u{2066}\u{85}\u{2028}c"# + "\nd")
    }

    @Test("A template with an unescaped value is rejected", arguments: ["{{{id}}}", "{{&id}}", "{{={ }=}}{&id}"])
    func unescapedValue(_ template: String) {
        #expect(throws: UnescapedValue.self) { try Templates(["Profile": Array(template.utf8)]) }
    }
}
