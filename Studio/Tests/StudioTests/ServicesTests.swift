import ForecastHTTP
import Foundation
import Hummingbird
import NIOCore
import Testing
import UserProfileKit

@testable import Studio

/// The page of the weather with the documents of each service, which a server on loopback sends.
@Suite struct ServicesTests {
    private static let documents = URL(filePath: #filePath).appending(path: "../../../../Fixtures/weather").standardized

    @Test(
        "The weather of each service is shown",
        arguments: [
            (ForecastService.Provider.livedoor, "130010", "livedoor-130010.json"),
            (.tsukumijima, "270000", "tsukumijima-270000.json"), (.openMeteo, "130010", "open-meteo-130010.json"),
        ])
    func service(_ provider: ForecastService.Provider, _ city: String, _ name: String) async throws {
        let document = try Data(contentsOf: Self.documents.appending(path: name))
        let router = Router()
        router.get("**") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
        }
        let (ports, opened) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in opened.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                var iterator = ports.makeAsyncIterator()
                let port = await iterator.next() ?? 0
                let service = try ForecastService(provider, baseURL: "http://127.0.0.1:\(port)")
                try await RunningStudio.run(isWritable: true, source: HTTPForecastSource(service)) { studio in
                    let cookie = try await studio.signIn()
                    var page = ""
                    repeat {
                        page = try await studio.get("/weather?city=\(city)", cookie: cookie)
                    } while page.contains(#"id="cancel""#)
                    let found = try await studio.storage.weather.find(CityCode(city))
                    let saved = try #require(found)
                    #expect(!saved.forecasts.isEmpty && !page.contains(#"class="alert""#))
                    for forecast in saved.forecasts {
                        #expect(page.contains(">\(forecast.date.text)</td>") && page.contains(forecast.telop))
                    }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
