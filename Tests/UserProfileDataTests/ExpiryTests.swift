import DataStoreCore
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the age and the expiration of entities.
@Suite struct ExpiryTests {
    private let tokyo: CityCode

    init() throws { tokyo = try CityCode("130010") }

    @Test("A fresh saved forecast is served without a fetch")
    func fresh() async throws {
        let setup = try ForecastSetup()
        let fetched = try await setup.forecasts.refresh(tokyo)
        setup.clock.move(by: .seconds(60))
        let read = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(read.weather == fetched && read.age == .seconds(60) && !read.isStale)
        #expect(setup.source.cities.count == 1)
        setup.clock.move(by: .nanoseconds(1))
        let newer = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(newer.age == .zero && !newer.isStale)
        #expect(setup.source.cities.count == 2)
    }

    @Test("A missing forecast is fetched")
    func missing() async throws {
        let setup = try ForecastSetup()
        let read = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(read.weather.title == "new")
        let saved = try await setup.weather.find(tokyo)
        #expect(saved == read.weather)
    }

    @Test("An old forecast is served if the fetch fails", arguments: RepositoryError.Code.ofSources)
    func stale(_ code: RepositoryError.Code) async throws {
        let setup = try ForecastSetup()
        let fetched = try await setup.forecasts.refresh(tokyo)
        setup.clock.move(by: .seconds(7200))
        setup.source.respond(ForecastSetup.failing(code))
        let read = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(read.weather == fetched && read.age == .seconds(7200))
        #expect(read.isStale && read.failure?.code == code)
    }

    @Test("A failed fetch is an error if no forecast is saved", arguments: RepositoryError.Code.ofSources)
    func failure(_ code: RepositoryError.Code) async throws {
        let setup = try ForecastSetup(MemoryDataStore(), ForecastSetup.failing(code))
        let error = await #expect(throws: RepositoryError.self) {
            try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        }
        #expect(error?.code == code)
    }

    @Test("The age of a saved document is measured from its publication")
    func publication() async throws {
        let setup = try ForecastSetup(MemoryDataStore(), ForecastSetup.failing(.unavailable))
        try await setup.weather.save(ForecastSetup.weather(tokyo, "from a file"))
        let read = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(read.isStale && read.age == .seconds(1_699_999_999))
    }

    @Test("A forecast does not stay fresh forever after the clock is set back")
    func clock() async throws {
        let setup = try ForecastSetup()
        try await setup.forecasts.refresh(tokyo)
        setup.clock.move(by: .seconds(-7200))
        let read = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60))
        #expect(read.age == .zero && setup.source.cities.count == 2)
        let saved = try await setup.weather.find(tokyo)
        #expect(saved?.receipt?.fetchedAt == setup.clock.now)
        // Entities with a date in the future are not removed.
        setup.clock.move(by: .seconds(-7200))
        let removedCount = try await setup.forecasts.removeExpired(maxAge: .seconds(60))
        #expect(removedCount == 0)
    }

    @Test("Expired entities are removed", arguments: StoreLocation.Kind.allCases)
    func removal(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let setup = try ForecastSetup(store)
        let codes = City.all.prefix(3).map(\.code)
        for code in codes {
            try await setup.forecasts.refresh(code)
            setup.clock.move(by: .seconds(60))
        }
        let removedCount = try await setup.forecasts.removeExpired(maxAge: .seconds(120))
        #expect(removedCount == 1)
        let left = try await setup.weather.list().map(\.id)
        #expect(left == Array(codes.dropFirst()))
        await store.close()
    }
}
