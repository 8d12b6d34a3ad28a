import ForecastAPI
import ForecastHTTP
import Testing
import UserProfileDomain
import WebTesting

/// Tests of a source with servers that reject requests, break connections, or send too much.
@Suite struct HTTPForecastSourceFailureTests {
    private func failure(
        _ source: HTTPForecastSource, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RepositoryError {
        let city = try Cities.tokyo()
        return try await #require(throws: RepositoryError.self, sourceLocation: sourceLocation) {
            try await source.fetch(city)
        }
    }

    // MARK: Status codes

    @Test(
        "An HTTP status is an error with its meaning",
        arguments: [
            (404, RepositoryError.Code.unavailable, 1), (400, .unexpected, 1), (401, .unavailable, 1),
            (403, .unavailable, 1), (410, .unavailable, 1),
            (429, .lackOfResources, 3), (500, .unavailable, 1), (502, .unavailable, 3), (503, .unavailable, 3),
            (504, .unavailable, 3), (304, .unavailable, 1), (204, .unavailable, 1),
        ])
    func statuses(_ status: Int, _ code: RepositoryError.Code, _ callCount: Int) async throws {
        // A 401 response contains a login challenge, which the source cannot meet.
        let headers = ["WWW-Authenticate": "Basic realm=\"weather\""]
        try await WebServer.run { _ in
            .init(status, headers: headers, text: "no")
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.code == code)
            #expect(error.message.contains(server.url))
            guard case .status(status)? = error.underlying as? FetchFailure else {
                Issue.record("the cause is \(String(describing: error.underlying))")
                return
            }
            #expect(server.recorded.count == callCount)
        }
    }

    @Test("A permanent failure does not suggest a retry", arguments: [401, 403, 404, 410, 204])
    func permanentFailures(_ status: Int) async throws {
        try await WebServer.run { _ in
            .init(status)
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.message.contains("check the URL") && !error.message.contains("retry"), "\(error)")
        }
    }

    @Test("A timeout that is not positive is an error without a request")
    func zeroTimeout() async throws {
        try await WebServer.run { _ in
            .init()
        } _: { server in
            var options = FetchOptions.quick
            options.timeout = .zero
            let error = try await failure(HTTPForecastSource(at: server.url, options: options))
            #expect(error.code == .programmingError && error.message.contains("timeout"))
            #expect(server.recorded.isEmpty)
        }
    }

    // MARK: Unknown cities

    @Test("The message of a service that the city is invalid is an unknown city")
    func unknownCity() async throws {
        let document = try WeatherFixture.unknownCity.bytes()
        for provider in [ForecastService.Provider.livedoor, .tsukumijima] {
            try await WebServer.run { _ in
                .init(body: document)
            } _: { server in
                let error = try await failure(HTTPForecastSource(provider, at: server.url))
                #expect(error.code == .notFound)
                #expect(error.message.contains("130010") && error.message.contains("invalid"))
            }
        }
    }

    @Test(
        "Any other error message with status 200 says nothing about the city",
        arguments: [
            (ForecastService.Provider.tsukumijima, #"{"error": "Request to JMA API failed (HTTP Error 503)"}"#, "503"),
            (.tsukumijima, #"{"error": "Weather area was not found in JMA API response: 130010"}"#, "not found"),
            (.livedoor, #"{"error": {"code": 5}, "forecasts": []}"#, "an error"),
            (.openMeteo, #"{"error": true, "reason": "The city is unknown"}"#, "The city is unknown"),
        ])
    func outage(_ provider: ForecastService.Provider, _ document: String, _ words: String) async throws {
        try await WebServer.run { _ in
            .init(text: document)
        } _: { server in
            let error = try await failure(HTTPForecastSource(provider, at: server.url))
            #expect(error.code == .unavailable && error.message.contains(words), "\(error)")
        }
    }

    @Test("Status 404 of livedoor is an unknown city unless a redirect led there", arguments: [false, true])
    func statusNotFound(isRedirected: Bool) async throws {
        try await WebServer.run { call in
            isRedirected && call.path != "/gone" ? .init(301, headers: ["Location": "/gone"]) : .init(404)
        } _: { server in
            let error = try await failure(HTTPForecastSource(.livedoor, at: server.url))
            #expect(error.code == (isRedirected ? .unavailable : .notFound))
            #expect(error.message.contains("check the URL") == isRedirected, "\(error)")
        }
    }

    // MARK: Retries

    @Test("Pauses between attempts grow and are random", arguments: [(0.0, [250, 500]), (1.0, [500, 1000])])
    func pauses(_ chance: Double, _ milliseconds: [Int]) async throws {
        let timing = FakeTiming(chance: chance)
        try await WebServer.run { _ in
            .init(503)
        } _: { server in
            _ = try await failure(HTTPForecastSource(at: server.url, timing: timing))
        }
        #expect(timing.sleeps == milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "Retry-After determines the pause",
        arguments: [
            (["Retry-After": "3"], [Duration.seconds(3), .seconds(3)]),
            (
                ["Retry-After": "Wed, 28 Feb 2024 16:00:07 GMT", "Date": "Wed, 28 Feb 2024 16:00:00 GMT"],
                [.seconds(7), .seconds(7)]
            ),
            (["Retry-After": "Wed, 28 Feb 2001 16:00:00 GMT"], [.zero, .zero]),
            (["Retry-After": "soon"], [.milliseconds(500), .seconds(1)]),
            (["Retry-After": "-3"], [.milliseconds(500), .seconds(1)]),
            // Longer than the source waits.
            (["Retry-After": "3600"], []),
            (["Retry-After": "99999999999999999999"], [.milliseconds(500), .seconds(1)]),
        ])
    func retryAfter(_ headers: [String: String], _ pauses: [Duration]) async throws {
        let timing = FakeTiming()
        try await WebServer.run { _ in
            .init(429, headers: headers)
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url, timing: timing))
            #expect(error.code == .lackOfResources)
            #expect(server.recorded.count == pauses.count + 1)
        }
        #expect(timing.sleeps == pauses)
    }

    /// The ways in which a connection can end too early.
    enum ConnectionFailure: CaseIterable {
        case closed, reset, truncated, truncatedInChunks, resetInTheMiddle

        var steps: [SocketServer.Step] {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n{\"title\": "
            return switch self {
            case .closed: []
            case .reset: [.reset]
            case .truncated: [.text(head)]
            case .truncatedInChunks: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"ti\r\n")]
            case .resetInTheMiddle: [.text(head), .pause(.milliseconds(50)), .reset]
            }
        }
    }

    @Test("A broken connection is retried", arguments: ConnectionFailure.allCases)
    func retries(_ kind: ConnectionFailure) async throws {
        let document = try WeatherFixture.livedoor.bytes()
        let whole: [SocketServer.Step] = [
            .text("HTTP/1.1 200 OK\r\nContent-Length: \(document.count)\r\n\r\n"), .send(document),
        ]
        try await SocketServer.run {
            $0 < 2 ? kind.steps : whole
        } _: { url in
            let fetched = try await HTTPForecastSource(at: url).fetch(Cities.tokyo())
            #expect(fetched.weather != nil)
        }
        try await SocketServer.run { _ in
            kind.steps
        } _: { url in
            let timing = FakeTiming()
            let error = try await failure(HTTPForecastSource(at: url, timing: timing))
            #expect(error.code == .unavailable)
            #expect(timing.sleeps.count == 2)
        }
    }

    @Test("A refused connection is an error")
    func refusedConnection() async throws {
        let timing = FakeTiming()
        // The port of a server that has stopped.
        let url = try await WebServer.run { _ in
            .init()
        } _: {
            $0.url
        }
        let error = try await failure(HTTPForecastSource(at: url, timing: timing))
        #expect(error.code == .unavailable)
        #expect(timing.sleeps.isEmpty)
    }

    // MARK: Slow responses

    /// The point at which a server stops sending.
    enum SilentServer: CaseIterable {
        case atOnce, afterTheHead, slowly

        var steps: [SocketServer.Step] {
            let head = SocketServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n")
            return switch self {
            case .atOnce: [.hold]
            case .afterTheHead: [head, .hold]
            // The server is never silent for long, but never finishes.
            case .slowly: [head] + (0..<2000).flatMap { _ in [.text(" "), .pause(.milliseconds(50))] }
            }
        }
    }

    @Test("A slow response ends with a timeout", arguments: SilentServer.allCases)
    func timeout(_ silence: SilentServer) async throws {
        var options = FetchOptions.quick
        options.timeout = .milliseconds(600)
        options.retryCount = 0
        let impatient = options
        try await SocketServer.run { _ in
            silence.steps
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url, options: impatient))
            #expect(error.code == .unavailable)
        }
    }

    @Test("Slow redirects and retries end with the timeout of the whole fetch", .timeLimit(.minutes(1)))
    func wholeTimeout() async throws {
        var options = FetchOptions.quick
        (options.timeout, options.retryCount) = (.milliseconds(600), 100_000)
        let impatient = options
        // The six requests of a redirect that leads back to itself would take 1.8 seconds.
        let redirect = "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        try await SocketServer.run { _ in
            [.pause(.milliseconds(300)), .text(redirect)]
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url, options: impatient))
            guard case .timedOut? = error.underlying as? FetchFailure else {
                Issue.record("the cause is \(String(describing: error.underlying))")
                return
            }
        }
        try await WebServer.run { _ in
            .init(503, headers: ["Retry-After": "0"])
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url, options: impatient))
            #expect(error.code == .unavailable)
        }
    }

    @Test("A silent server ends with a timeout before the total time limit")
    func idleTimeout() async throws {
        var options = FetchOptions.quick
        (options.idleTimeout, options.timeout) = (.seconds(1), .seconds(600))
        let impatient = options
        try await SocketServer.run { _ in
            [.hold]
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url, options: impatient))
            #expect(error.code == .unavailable)
        }
    }

    // MARK: Responses that are too large or of another kind

    /// A server that sends 10 MiB.
    enum OversizedResponse: CaseIterable {
        case announced, inChunks, untilItCloses

        var steps: [SocketServer.Step] {
            let mebibyte = [UInt8](repeating: 0x20, count: 1 << 20)
            return switch self {
            case .announced:
                [.text("HTTP/1.1 200 OK\r\nContent-Length: \(10 << 20)\r\n\r\n")]
                    + (0..<10).map { _ in .send(mebibyte) }
            case .inChunks:
                [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")]
                    + (0..<10).map { _ in .send(Array("100000\r\n".utf8) + mebibyte + Array("\r\n".utf8)) }
                    + [.text("0\r\n\r\n")]
            case .untilItCloses:
                [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")] + (0..<10).map { _ in .send(mebibyte) }
            }
        }
    }

    @Test("A response that is too large is rejected", arguments: OversizedResponse.allCases)
    func tooLarge(_ flood: OversizedResponse) async throws {
        try await SocketServer.run { _ in
            flood.steps
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url))
            #expect(error.code == .unexpected)
            let cause = try #require(error.underlying as? ValidationError)
            #expect(cause.subject == .weatherDocument && cause.rule.contains("1048576"))
        }
    }

    @Test("The largest response is accepted")
    func largest() async throws {
        let document = try WeatherFixture.livedoor.bytes()
        let spaces = [UInt8](repeating: 0x20, count: (1 << 20) - document.count)
        try await WebServer.run { _ in
            .init(body: spaces + document)
        } _: { server in
            let fetched = try await HTTPForecastSource(at: server.url).fetch(Cities.tokyo())
            #expect(fetched.weather != nil)
        }
        try await WebServer.run { _ in
            .init(body: [0x20] + spaces + document)
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.code == .unexpected)
        }
    }

    /// A response that is not a weather document, and the member that the error names.
    @Test(
        "An invalid document is an error with the member",
        arguments: [
            ("<html>busy</html>", nil), ("", nil), ("null", nil), ("[]", nil), ("{}", "title"),
            (#"{"title": "x"}"#, "publicTime"), (#"{"title": {"a": 1}}"#, "title"),
            (#"{"title": "x", "publicTime": "2024-01-15T11:00:00Z", "forecasts": {}}"#, "forecasts"),
            (#"{"title": "x", "publicTime": "yesterday", "forecasts": []}"#, "publicTime"),
        ] as [(String, String?)])
    func invalidDocument(_ text: String, _ path: String?) async throws {
        try await WebServer.run { _ in
            .init(text: text)
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.code == .unexpected)
            let cause = try #require(error.underlying as? ValidationError)
            #expect(cause.subject == .weatherDocument && cause.path == path)
            #expect(server.recorded.count == 1)
        }
    }

    @Test(
        "An invalid document of Open-Meteo is an error with the member",
        arguments: [
            ("{}", "daily"), (#"{"daily": {"time": "today"}}"#, "daily.time"),
            (#"{"daily": {"time": ["2024-02-30"]}}"#, "daily.time[0]"),
            (#"{"daily": {"time": ["2024-02-29"], "weather_code": []}}"#, "daily.weather_code"),
            (#"{"daily": {"time": ["2024-02-29"], "temperature_2m_min": ["2"]}}"#, "daily.temperature_2m_min[0]"),
            (#"{"daily": {"time": ["2024-02-29"], "temperature_2m_max": [-300]}}"#, "daily.temperature_2m_max[0]"),
        ])
    func invalidOpenMeteo(_ text: String, _ path: String) async throws {
        try await WebServer.run { _ in
            .init(text: text)
        } _: { server in
            let error = try await failure(HTTPForecastSource(.openMeteo, at: server.url))
            #expect((error.underlying as? ValidationError)?.path == path)
        }
    }

    @Test("An error message of a service is shortened")
    func longMessage() async throws {
        let document = #"{"error": "\#(String(repeating: "x", count: 500_000))"}"#
        try await WebServer.run { _ in
            .init(text: document)
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.code == .unavailable && error.message.contains("xxx…") && error.message.count < 1000)
        }
    }

    @Test(
        "A hostile header is an error or has no effect",
        arguments: [
            ("Content-Length: 9223372036854775807", RepositoryError.Code.unexpected),
            ("Content-Length: 9223372036854775806", .unexpected),
            // A number that libcurl cannot represent counts as unknown. The size of the body is limited all the same.
            ("Content-Length: 9223372036854775808", .unexpected),
            ("Content-Length: 99999999999999999999999999", .unexpected), ("Content-Length: -1", .unavailable),
            ("Content-Length: x", .unavailable), ("Content-Length: 2\r\nContent-Length: 3", .unavailable),
            ("Transfer-Encoding: chunked\r\nContent-Length: 9223372036854775807", .unavailable),
            ("Content-Encoding: gzip", .unavailable), ("Content-Encoding: unknown", .unavailable),
            ("X: \(String(repeating: "x", count: 400_000))", .unavailable),
            (String(repeating: "X: 1\r\n", count: 100_000) + "Y: 1", .unavailable),
            ("Date: Thu, 99 Foo 9999 99:99:99 GMT", .unexpected), ("ETag: \u{1}\u{7F}", .unexpected),
        ])
    func hostileHeader(_ fields: String, _ code: RepositoryError.Code) async throws {
        var options = FetchOptions.quick
        options.retryCount = 0
        let once = options
        try await SocketServer.run { _ in
            [.text("HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\n{}")]
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url, options: once))
            #expect(error.code == code, "\(error)")
        }
    }

    @Test("A request that is cancelled during a redirect ends", arguments: 0..<20)
    func cancelledRedirect(_ number: Int) async throws {
        let redirect = "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        try await SocketServer.run { _ in
            [.pause(.milliseconds(5)), .text(redirect)]
        } _: { url in
            let source = try HTTPForecastSource(at: url)
            let task = Task { try await source.fetch(Cities.tokyo()) }
            try await Task.sleep(for: .milliseconds(3 * number))
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }

    @Test("A truncated response is an error")
    func truncatedAnswer() async throws {
        let document = try WeatherFixture.livedoor.bytes()
        let head = SocketServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: \(document.count / 2)\r\n\r\n")
        try await SocketServer.run { _ in
            [head, .send(document)]
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url))
            #expect(error.code == .unexpected)
        }
    }

    @Test(
        "A response that is not HTTP is an error",
        arguments: ["nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}", "HTTP/1.1 abc\r\n\r\n"])
    func notHTTP(_ text: String) async throws {
        try await SocketServer.run { _ in
            [.text(text)]
        } _: { url in
            let error = try await failure(HTTPForecastSource(at: url))
            #expect(error.code == .unavailable)
        }
    }

    @Test(
        "A redirect to another scheme, in a loop or to no location is not followed",
        arguments: [
            "https://127.0.0.1:1/x", "file:///etc/hosts", "ftp://127.0.0.1/x", "/api/forecast/city/130010", "", nil,
        ] as [String?])
    func rejectedRedirect(_ location: String?) async throws {
        try await WebServer.run { _ in
            .init(302, headers: location.map { ["Location": $0] } ?? [:])
        } _: { server in
            let error = try await failure(HTTPForecastSource(at: server.url))
            #expect(error.code == .unavailable)
            // Six requests if the redirect leads back to itself, otherwise one.
            #expect(server.recorded.count == (location?.hasPrefix("/") == true ? 6 : 1))
        }
    }

    // MARK: Cancellation

    @Test("A cancelled fetch ends")
    func cancellation() async throws {
        try await SocketServer.run { _ in
            [.hold]
        } _: { url in
            let source = try HTTPForecastSource(at: url)
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                continuation.finish()
                return try await source.fetch(Cities.tokyo())
            }
            for await _ in started {}
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
