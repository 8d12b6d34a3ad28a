import DataStoreCore
import DataStoreTesting
import Observation
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the states that a monitor delivers to a user interface.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ForecastMonitorTests {
    private let tokyo: CityCode

    init() throws { tokyo = try CityCode("130010") }

    private func monitor(_ setup: ForecastSetup) -> ForecastMonitor {
        ForecastMonitor(city: tokyo, forecasts: setup.forecasts, maxAge: .seconds(60))
    }

    @Test("A monitor is idle, loading and loaded")
    func states() async throws {
        let gate = Gate()
        let setup = try ForecastSetup(MemoryDataStore()) { city, _, progress in
            progress(FetchProgress(receivedByteCount: 5, expectedByteCount: 10))
            try await gate.pass()
            return .new(ForecastSetup.weather(city, "new"), nil)
        }
        let monitor = monitor(setup)
        let states = ObservedStates(monitor, name)
        #expect(states.names == ["idle"])
        async let loaded: Void = monitor.load()
        try await until { states.names.last == "loading 5" }
        gate.open()
        await loaded
        try await until { states.names.last == "loaded new" }
        #expect(states.names.dropFirst().dropLast().allSatisfy { $0.hasPrefix("loading") })
    }

    @Test("A monitor is released when its load is cancelled")
    func lifetime() async throws {
        let gate = Gate()
        let setup = try ForecastSetup(MemoryDataStore()) { city, _, _ in
            try await gate.pass()
            return .new(ForecastSetup.weather(city, "late"), nil)
        }
        var monitor: ForecastMonitor? = monitor(setup)
        weak let released = monitor
        let load = Task { [monitor] in await monitor?.load() }
        await gate.waitForArrival()
        monitor = nil
        #expect(released != nil)
        load.cancel()
        await load.value
        try await until { released == nil }
    }

    @Test("A success replaces a failure", arguments: RepositoryError.Code.ofSources)
    func success(_ code: RepositoryError.Code) async throws {
        let setup = try ForecastSetup(MemoryDataStore(), ForecastSetup.failing(code))
        let monitor = monitor(setup)
        await monitor.load()
        #expect(name(monitor.state) == "failed \(code)")
        setup.source.respond(ForecastSetup.fresh)
        await monitor.load()
        #expect(name(monitor.state) == "loaded new")
        // If weather is saved, a failure makes it stale until the next success.
        setup.clock.move(by: .seconds(61))
        setup.source.respond(ForecastSetup.failing(code))
        await monitor.load()
        #expect(name(monitor.state) == "stale new")
        setup.source.respond(ForecastSetup.fresh)
        await monitor.refresh()
        #expect(name(monitor.state) == "loaded new")
    }

    @Test("A failure of an earlier load is not published")
    func lateFailure() async throws {
        let gate = Gate()
        let city = try CityCode("270000")
        let setup = try ForecastSetup(MemoryDataStore()) { _, _, _ in
            try await gate.pass()
            throw RepositoryError(.unavailable, message: "late")
        }
        // The slow failure and the fast success belong to different requests.
        let monitor = ForecastMonitor(city: city, forecasts: setup.forecasts, maxAge: .seconds(60))
        let slow = Task { await monitor.refresh() }
        await gate.waitForArrival()
        try await setup.weather.save(
            Weather(
                id: city, title: "saved", publishedAt: setup.clock.now, description: nil, forecasts: []))
        await monitor.load()
        // The slow request is still running.
        #expect(name(monitor.state).hasPrefix("loading"))
        gate.open()
        await slow.value
        #expect(name(monitor.state) == "loaded saved")
    }

    @Test("A cancelled load restores the state before")
    func cancelledLoad() async throws {
        let gate = Gate()
        let setup = try ForecastSetup()
        let monitor = monitor(setup)
        await monitor.load()
        setup.source.respond { _, _, _ in
            try await gate.pass()
            throw RepositoryError(.unexpected, message: "it was not cancelled")
        }
        let load = Task { await monitor.refresh() }
        await gate.waitForArrival()
        #expect(name(monitor.state).hasPrefix("loading"))
        load.cancel()
        await load.value
        #expect(name(monitor.state) == "loaded new")
    }

    @Test("When a later load is cancelled, the result of the earlier one applies")
    func cancelledLaterLoad() async throws {
        let gate = Gate()
        let setup = try ForecastSetup(MemoryDataStore()) { city, _, _ in
            try await gate.pass()
            return .new(ForecastSetup.weather(city, "new"), nil)
        }
        let monitor = monitor(setup)
        let first = Task { await monitor.load() }
        await gate.waitForArrival()
        let second = Task { await monitor.load() }
        try await until { setup.forecasts.waiterCount(tokyo) >= 2 }
        second.cancel()
        await second.value
        #expect(name(monitor.state).hasPrefix("loading"))
        gate.open()
        await first.value
        #expect(name(monitor.state) == "loaded new")
    }

    @Test("The city can be set, and loads of the previous city are ignored", arguments: [true, false])
    func newCity(isCancelled: Bool) async throws {
        let gate = Gate()
        let osaka = try CityCode("270000")
        let setup = try ForecastSetup(MemoryDataStore()) { [tokyo] city, _, _ in
            if city == tokyo { try await gate.pass() }
            return .new(ForecastSetup.weather(city, city.text), nil)
        }
        let monitor = monitor(setup)
        let load = Task { await monitor.load() }
        await gate.waitForArrival()
        let states = ObservedStates(monitor) { _ in monitor.city.text }
        monitor.city = osaka
        #expect(name(monitor.state) == "idle")
        try await until { states.names.last == osaka.text }
        await monitor.load()
        #expect(name(monitor.state) == "loaded 270000")
        if isCancelled { load.cancel() }
        gate.open()
        await load.value
        #expect(name(monitor.state) == "loaded 270000")
        // The weather of the previous city was fetched and saved nevertheless.
        if !isCancelled { #expect(try await setup.weather.find(tokyo)?.title == tokyo.text) }
    }

    @Test("After a change of the city, a cancelled load restores the idle state")
    func cancelledLoadOfNewCity() async throws {
        let gate = Gate()
        let setup = try ForecastSetup()
        let monitor = monitor(setup)
        await monitor.load()
        setup.source.respond { _, _, _ in
            try await gate.pass()
            throw RepositoryError(.unexpected, message: "it was not cancelled")
        }
        monitor.city = try CityCode("270000")
        // Setting the same city again neither notifies nor changes the state.
        let load = Task { await monitor.load() }
        await gate.waitForArrival()
        monitor.city = try CityCode("270000")
        #expect(name(monitor.state).hasPrefix("loading"))
        load.cancel()
        await load.value
        #expect(name(monitor.state) == "idle")
    }

    @Test("An invalid request is a failure")
    func invalidRequest() async throws {
        let setup = try ForecastSetup(MemoryDataStore()) { city, _, _ in
            throw ValidationError(.city, given: city.text, rule: "it has no place")
        }
        let monitor = monitor(setup)
        await monitor.load()
        #expect(name(monitor.state) == "failed unexpected")
        try await setup.weather.save(ForecastSetup.weather(tokyo, "saved"))
        await monitor.load()
        #expect(name(monitor.state) == "stale saved")
    }

    private func name(_ state: ForecastState?) -> String {
        switch state {
        case nil: "none"
        case .idle: "idle"
        case .loading(let step): "loading\(step.map { " \($0.receivedByteCount)" } ?? "")"
        case .loaded(let cached): "loaded \(cached.weather.title)"
        case .stale(let cached, _): "stale \(cached.weather.title)"
        case .failed(let error): "failed \(error.code)"
        }
    }
}

/// The names of the states of a monitor that an observer has seen.
@MainActor private final class ObservedStates {
    private(set) var names: [String] = []
    private let monitor: ForecastMonitor
    private let name: (ForecastState) -> String

    init(_ monitor: ForecastMonitor, _ name: @escaping (ForecastState) -> String) {
        (self.monitor, self.name) = (monitor, name)
        track()
    }

    private func track() {
        withObservationTracking {
            names.append(name(monitor.state))
        } onChange: { [weak self] in
            Task { @MainActor in self?.track() }
        }
    }
}
