// swift-tools-version: 6.2

import PackageDescription

// A separate package: programs that embed UserProfile do not fetch the web server.
let package = Package(
    name: "Studio",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "UserProfile", path: "..", traits: ["Sealing"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // The pages over any storage, and the server that protects them.
        .target(
            name: "Studio",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [
                .embedInCode("Layout/icon.svg"), .embedInCode("Layout/studio.css"), .embedInCode("Layout/studio.js"),
                .embedInCode("Layout/Layout.mustache"), .embedInCode("Layout/Message.mustache"),
                .embedInCode("Profiles/Profiles.mustache"), .embedInCode("Profiles/Profile.mustache"),
                .embedInCode("Birthdays/Birthdays.mustache"), .embedInCode("Store/Store.mustache"),
                .embedInCode("Records/Records.mustache"), .embedInCode("Records/Record.mustache"),
                .embedInCode("Weather/Weather.mustache"),
            ]),
        // Which store, on which port.
        .executableTarget(
            name: "profile-studio",
            dependencies: [
                "Studio",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "UserProfileSealing", package: "UserProfile"),
                .product(name: "DataStorePostgres", package: "UserProfile"),
                .product(name: "ForecastHTTP", package: "UserProfile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Requests with arbitrary bytes, for tests and the benchmark.
        .target(name: "RawHTTP", path: "Tests/RawHTTP"),
        .executableTarget(
            name: "bench-studio",
            dependencies: [
                "RawHTTP", "Studio",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .testTarget(
            name: "StudioTests",
            dependencies: [
                "RawHTTP", "Studio",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "DataStoreLMDB", package: "UserProfile"),
                .product(name: "DataStoreCore", package: "UserProfile"),
                .product(name: "ForecastHTTP", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
