import DataStoreCore
import DataStoreTesting
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of fetching forecasts and saving them.
@Suite struct ForecastRefreshTests {
    private let tokyo: CityCode
    private let osaka: CityCode

    init() throws {
        tokyo = try CityCode("130010")
        osaka = try CityCode("270000")
    }

    @Test("A refresh replaces the weather of one city")
    func replacedCity() async throws {
        let setup = try ForecastSetup()
        let (old, other) = (ForecastSetup.weather(tokyo, "old"), ForecastSetup.weather(osaka, "other"))
        try await setup.weather.save(old)
        try await setup.weather.save(other)
        let fetched = try await setup.forecasts.refresh(tokyo)
        #expect(fetched.title == "new" && fetched.receipt == FetchReceipt(fetchedAt: setup.clock.now))
        let saved = try await setup.weather.list()
        #expect(saved == [fetched, other])
    }

    @Test("A failure keeps the saved weather", arguments: RepositoryError.Code.ofSources)
    func failures(_ code: RepositoryError.Code) async throws {
        let setup = try ForecastSetup()
        let saved = try await setup.forecasts.refresh(tokyo)
        setup.source.respond(ForecastSetup.failing(code))
        let error = await #expect(throws: RepositoryError.self) { try await setup.forecasts.refresh(tokyo) }
        #expect(error?.code == code && error?.message == "the source fails")
        let outcomes = try await setup.forecasts.refresh([tokyo])
        #expect(throws: RepositoryError.self) { try outcomes[tokyo]?.get() }
        let left = try await setup.weather.find(tokyo)
        #expect(left == saved)
    }

    @Test("The version of a document is saved and sent with the next request")
    func version() async throws {
        let version = try #require(FetchedVersion(address: "here", entityTag: "\"1\"", lastModified: nil))
        let requested = Recorder<FetchedVersion?>()
        let setup = try ForecastSetup { city, known, _ in
            requested.add(known)
            return known == nil ? .new(ForecastSetup.weather(city, "new"), version) : .unchanged
        }
        let first = try await setup.forecasts.refresh(tokyo)
        setup.clock.move(by: .seconds(60))
        let second = try await setup.forecasts.refresh(tokyo)
        #expect(requested.values == [nil, version])
        // The age is counted from the response that the weather is unchanged.
        #expect(second.receipt == FetchReceipt(fetchedAt: setup.clock.now, version: version))
        #expect(second.title == first.title)
        let saved = try await setup.weather.find(tokyo)
        #expect(saved == second)
    }

    @Test("The reasons for days that are left out reach the caller of each function, at each fetch")
    func warnings() async throws {
        let version = try #require(FetchedVersion(address: "here", entityTag: "\"1\"", lastModified: nil))
        let reason = ValidationError(.weatherDocument, given: "", rule: "the member is null", path: "forecasts[1].date")
        let setup = try ForecastSetup { city, known, _ in
            known == nil ? .new(ForecastSetup.weather(city, "new"), version, warnings: [reason]) : .unchanged
        }
        var reasons: [ValidationError] = []
        try await setup.forecasts.refresh(tokyo, warning: { reasons.append($0) })
        #expect(reasons == [reason])
        let cached = try await setup.forecasts.forecast(tokyo, maxAge: .seconds(-1))
        #expect(cached.warnings == [reason])
        var all: [CityCode: ValidationError] = [:]
        _ = try await setup.forecasts.refresh([tokyo, osaka], warning: { all[$0] = $1 })
        #expect(all == [tokyo: reason, osaka: reason])
        #expect(try await setup.forecasts.forecast(tokyo, maxAge: .seconds(60)).warnings.isEmpty)
    }

    // MARK: Concurrent requests

    @Test("Concurrent refreshes of a city share a request")
    func sharedRequest() async throws {
        let gate = Gate()
        let setup = try ForecastSetup { city, _, progress in
            try await gate.pass()
            progress(FetchProgress(receivedByteCount: 7))
            return .new(ForecastSetup.weather(city, "new"), nil)
        }
        let reported = Recorder<Int>()
        try await withThrowingTaskGroup(of: Weather.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await setup.forecasts.refresh(tokyo) { step in reported.add(step.receivedByteCount) }
                }
            }
            await gate.waitForArrival()
            // All eight tasks wait before the source responds.
            try await until { setup.forecasts.waiterCount(tokyo) >= 8 }
            gate.open()
            for try await weather in group { #expect(weather.title == "new") }
        }
        #expect(setup.source.cities == [tokyo])
        // Each of them received the progress.
        #expect(reported.values == Array(repeating: 7, count: 8))
        // A later refresh makes a new request.
        try await setup.forecasts.refresh(tokyo)
        #expect(setup.source.cities.count == 2)
    }

    @Test("A cancelled caller does not cancel the shared request")
    func cancelledCaller() async throws {
        let gate = Gate()
        let setup = try ForecastSetup { city, _, _ in
            try await gate.pass()
            return .new(ForecastSetup.weather(city, "new"), nil)
        }
        let first = Task { try await setup.forecasts.refresh(tokyo) }
        await gate.waitForArrival()
        let second = Task { try await setup.forecasts.refresh(tokyo) }
        try await until { setup.forecasts.waiterCount(tokyo) >= 2 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let before = try await setup.weather.find(tokyo)
        #expect(before == nil)
        gate.open()
        let weather = try await second.value
        #expect(weather.title == "new")
        #expect(setup.source.cities == [tokyo])
    }

    @Test("A fetch without callers is cancelled")
    func cancelledFetch() async throws {
        let gate = Gate()
        let (ended, ending) = AsyncStream.makeStream(of: Bool.self)
        let setup = try ForecastSetup { _, _, _ in
            do {
                try await gate.pass()
                throw RepositoryError(.unexpected, message: "it was not cancelled")
            } catch {
                ending.yield(error is CancellationError)
                throw error
            }
        }
        let tasks = (0..<2).map { _ in Task { try await setup.forecasts.refresh(tokyo) } }
        try await until { setup.forecasts.waiterCount(tokyo) >= 2 }
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        for await isCancelled in ended {
            #expect(isCancelled)
            break
        }
        // A later caller does not join the cancelled request.
        setup.source.respond(ForecastSetup.fresh)
        let weather = try await setup.forecasts.refresh(tokyo)
        #expect(weather.title == "new")
    }

    @Test("Each city of a list is saved by itself")
    func list() async throws {
        let unknown = try CityCode("999999")
        let broken = try CityCode("888888")
        let setup = try ForecastSetup { city, _, _ in
            switch city {
            case unknown: throw RepositoryError(.notFound, message: "no such city")
            case broken: throw RepositoryError(.unavailable, message: "no answer")
            default: return .new(ForecastSetup.weather(city, "new"), nil)
            }
        }
        for city in [unknown, broken] { try await setup.weather.save(ForecastSetup.weather(city, "old")) }
        let generation = try await setup.store.generation()
        let steps = Recorder<Int>()
        let cities = City.all.map(\.code) + [unknown, broken, tokyo]
        let outcomes = try await setup.forecasts.refresh(cities) { doneCount, cityCount in
            #expect(cityCount == 144)
            steps.add(doneCount)
        }
        #expect(outcomes.count == 144 && setup.source.cities.count == 144)
        #expect(steps.values == Array(1...144))
        #expect(throws: RepositoryError.self) { try outcomes[unknown]?.get() }
        #expect(throws: RepositoryError.self) { try outcomes[broken]?.get() }
        let saved = try await setup.weather.list()
        #expect(saved.count == 144)
        #expect(saved.filter { $0.title == "old" }.map(\.id) == [broken, unknown])
        let commits = try await setup.store.generation() - generation
        #expect(commits == 142)
    }

    @Test("Weather that cannot be saved is an error for its city")
    func failedSave() async throws {
        let store = MemoryDataStore()
        let setup = try ForecastSetup(store)
        await store.close()
        let outcomes = try await setup.forecasts.refresh([tokyo])
        #expect(throws: RepositoryError.self) { try outcomes[tokyo]?.get() }
    }

    // MARK: Cancellation

    @Test("A cancelled refresh is saved completely or not at all", arguments: StoreLocation.Kind.allCases)
    func cancelledRefresh(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let setup = try ForecastSetup(store) { city, _, progress in
            for count in 0..<4 {
                progress(FetchProgress(receivedByteCount: count))
                await Task.yield()
            }
            return .new(ForecastSetup.weather(city, "new"), nil)
        }
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed. It cancels at the same steps;
        // concurrent tasks may run differently.
        var generator = SeededGenerator()
        let seed = generator.seed
        var cancelledCount = 0
        for _ in 0..<200 {
            let old = ForecastSetup.weather(tokyo, "old")
            try await setup.weather.save(old)
            let task = Task { try await setup.forecasts.refresh(tokyo) }
            for _ in 0..<Int.random(in: 0..<40, using: &generator) { await Task.yield() }
            task.cancel()
            let result = await task.result
            let saved = try await setup.weather.find(tokyo)
            switch result {
            case .success(let weather):
                #expect(saved == weather, "seed \(seed)")
            case .failure(let error):
                #expect(error is CancellationError, "seed \(seed)")
                #expect(saved == old, "seed \(seed)")
                cancelledCount += 1
            }
        }
        print("\(kind): seed \(seed), \(cancelledCount) of 200 were cancelled in time")
        await store.close()
    }
}
