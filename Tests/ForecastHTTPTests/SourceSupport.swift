import ForecastAPI
import ForecastHTTP
import Testing
import UserProfileDomain
import WebTesting

/// Options without delays, for tests of other behavior. Time limits are long because a test server may be slow on a
/// busy machine.
extension FetchOptions {
    static var quick: FetchOptions {
        var options = FetchOptions()
        options.spacing = .zero
        (options.idleTimeout, options.timeout) = (.seconds(600), .seconds(600))
        return options
    }
}

extension HTTPForecastSource {
    /// Creates a source for a server on the loopback interface, with a fake clock.
    init(
        _ provider: ForecastService.Provider = .tsukumijima, at url: String, options: FetchOptions = .quick,
        timing: FakeTiming = FakeTiming()
    ) throws {
        self.init(try ForecastService(provider, baseURL: url), options: options, timing: timing.timing)
    }

    /// Fetches without a version and ignores progress.
    func fetch(_ city: CityCode) async throws -> FetchedWeather {
        try await fetch(city, unlessStill: nil) { _ in }
    }
}

extension FetchedWeather {
    /// The weather, if there is a new one.
    var weather: Weather? { if case .new(let weather, _, _) = self { weather } else { nil } }

    /// The version, if there is a new one.
    var version: FetchedVersion? { if case .new(_, let version, _) = self { version } else { nil } }
}

enum Cities {
    static func tokyo() throws -> CityCode { try CityCode("130010") }
    static func ishigaki() throws -> CityCode { try CityCode("474010") }
}

/// Returns bytes in gzip format (RFC 1952), in stored blocks without compression.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var checksum = UInt32.max
    for byte in bytes {
        checksum ^= UInt32(byte)
        for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
    }
    let count = UInt16(truncatingIfNeeded: bytes.count)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + littleEndian(count) + littleEndian(~count) + bytes
        + littleEndian(~checksum) + littleEndian(UInt32(bytes.count))
}
