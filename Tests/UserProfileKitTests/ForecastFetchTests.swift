import DataStoreLMDB
import ForecastAPI
import ForecastHTTP
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit
import WebTesting

/// End-to-end tests, from a web server on the loopback interface to a store.
@Suite struct ForecastFetchTests {
    private let document: [UInt8]

    init() throws {
        let fixture = StoreFixtureTests.fixtures.appending(path: "../../weather/tsukumijima-270000.json")
        document = Array(try Data(contentsOf: fixture))
    }

    private func source(_ url: String) throws -> HTTPForecastSource {
        var options = FetchOptions()
        options.spacing = .zero
        // The server may be slow on a busy machine.
        (options.idleTimeout, options.timeout) = (.seconds(600), .seconds(600))
        return HTTPForecastSource(try ForecastService(baseURL: url), options: options)
    }

    @Test("The forecasts of many cities are saved as they arrive")
    func manyCities() async throws {
        let directory = try TemporaryDirectory()
        let (path, document) = (directory.path("store"), document)
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            let store = try LMDBDataStore(path: path)
            let storage = try UserProfileStorage(store: store, source: try source(server.url))
            let codes = City.all.map(\.code)
            try await storage.forecasts.refresh(codes[0])
            let outcomes = try await storage.forecasts.refresh(codes)
            #expect(outcomes.count == 142)
            for (city, outcome) in outcomes {
                let weather = try outcome.get()
                let saved = try await storage.weather.find(city)
                #expect(saved == weather && weather.receipt != nil)
            }
            await storage.close()
        }
    }

    @Test("A cancelled fetch leaves the old forecast or the new one")
    func cancelledFetch() async throws {
        let directory = try TemporaryDirectory()
        let document = document
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            let storage = try await UserProfileStorage.open(
                .lmdb(directory.path("store")), source: try source(server.url))
            let tokyo = try CityCode("130010")
            let old = Weather(
                id: tokyo, title: "old", publishedAt: Instant(seconds: 1), description: nil, forecasts: [])
            var counts = [0, 0]
            for _ in 0..<200 {
                try await storage.weather.save(old)
                let task = Task { try await storage.forecasts.refresh(tokyo) }
                // Cancels at a random moment: immediately, during the request, during the save, or too late.
                try await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000)))
                task.cancel()
                let result = await task.result
                let saved = try await storage.weather.find(tokyo)
                switch result {
                case .success(let weather):
                    #expect(saved == weather)
                    counts[0] += 1
                case .failure(let error):
                    #expect(error is CancellationError)
                    #expect(saved == old)
                    counts[1] += 1
                }
            }
            print("of 200 fetches that were cancelled \(counts[0]) were saved and \(counts[1]) were not")
            await storage.close()
        }
    }
}
