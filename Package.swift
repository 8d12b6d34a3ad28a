// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "UserProfile",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "UserProfileKit", targets: ["UserProfileKit"]),
        .library(name: "UserProfileDomain", targets: ["UserProfileDomain"]),
        .library(name: "UserProfileData", targets: ["UserProfileData"]),
        .library(name: "RecordCoding", targets: ["RecordCoding"]),
        .library(name: "ForecastAPI", targets: ["ForecastAPI"]),
        .library(name: "ForecastHTTP", targets: ["ForecastHTTP"]),
        .library(name: "DataStoreCore", targets: ["DataStoreCore"]),
        .library(name: "DataStoreQueries", targets: ["DataStoreQueries"]),
        .library(name: "DataStorePlist", targets: ["DataStorePlist"]),
        .library(name: "DataStoreLMDB", targets: ["DataStoreLMDB"]),
        .library(name: "DataStorePostgres", targets: ["DataStorePostgres"]),
        .library(name: "DataStoreTesting", targets: ["DataStoreTesting"]),
        .library(name: "UserProfileSealing", targets: ["UserProfileSealing"]),
        .executable(name: "profile-cli", targets: ["profile-cli"]),
        .executable(name: "profile-cli-online", targets: ["profile-cli-online"]),
    ],
    // SwiftPM fetches what any product of a package needs, also for programs that do not use the product. Only
    // programs with sealed fields, or with metrics, turn the trait on.
    traits: [
        .trait(name: "Sealing", description: "Adds UserProfileSealing, which encrypts fields and needs swift-crypto."),
        .trait(
            name: "Telemetry",
            description: "Adds metrics and spans, and needs swift-metrics and swift-distributed-tracing."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // A target re-exports the modules in whose words its interface speaks, and depends on each of them once.
        // The words of queries, which entities and records share:
        .target(name: "QueryVocabulary"),

        // The domain: no storage, no Foundation.
        .target(name: "UserProfileDomain", dependencies: ["QueryVocabulary"]),

        // The port with the store in memory, and the stores that implement the port.
        .target(name: "DataStoreCore"),
        .target(name: "DataStoreQueries", dependencies: ["DataStoreCore", "QueryVocabulary"]),
        .target(name: "CDataStoreSystem"),
        .target(name: "RecordFraming", dependencies: ["DataStoreCore", "CDataStoreSystem"]),
        .target(
            name: "DataStoreSystem",
            dependencies: [
                "DataStoreCore", "CDataStoreSystem", .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .target(
            name: "DataStorePlist",
            dependencies: [
                "DataStoreCore", "DataStoreSystem", .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .systemLibrary(
            name: "CDataStoreLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
        ),
        .target(
            name: "DataStoreLMDB",
            dependencies: ["DataStoreCore", "RecordFraming", "DataStoreSystem", "CDataStoreLMDB"]),
        .systemLibrary(
            name: "CDataStorePostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "DataStorePostgres",
            dependencies: ["DataStoreCore", "RecordFraming", "DataStoreSystem", "CDataStorePostgres"]),
        .target(
            name: "DataStoreTesting", dependencies: ["DataStoreQueries", "UserProfileDomain"]),

        // Adapters between the domain and storage, weather services, and the kit that combines all of them.
        .target(name: "UserProfileData", dependencies: ["UserProfileDomain", "DataStoreQueries"]),
        .target(
            name: "RecordCoding",
            dependencies: ["UserProfileData", "RecordFraming"]),
        .target(name: "ProfileFormats", dependencies: ["UserProfileDomain"]),
        .target(name: "ForecastAPI", dependencies: ["UserProfileDomain", "ProfileFormats"]),
        .target(
            name: "CForecastHTTP", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
        .target(
            name: "ForecastHTTP",
            dependencies: [
                "ForecastAPI",
                .target(name: "CForecastHTTP", condition: .when(platforms: [.linux])),
                .target(name: "DataStoreSystem", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "UserProfileKit",
            dependencies: [
                "RecordCoding", "ForecastAPI", "ProfileFormats", "DataStoreSystem", "DataStorePlist", "DataStoreLMDB",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Telemetry"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Telemetry"])),
            ]
        ),

        // Encryption of fields. The kit does not depend on it.
        .target(
            name: "UserProfileSealing",
            dependencies: [
                "UserProfileData", "DataStoreSystem", "CDataStoreSystem", "RecordFraming",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Sealing"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Sealing"])),
            ]),

        // The command line. Two programs with the same commands differ in what they link.
        .target(
            name: "ProfileCommands",
            dependencies: [
                "UserProfileKit", "DataStoreSystem",
                .target(name: "UserProfileSealing", condition: .when(traits: ["Sealing"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(name: "profile-cli", dependencies: ["ProfileCommands"]),
        .executableTarget(
            name: "profile-cli-online",
            dependencies: ["ProfileCommands", "DataStorePostgres", "ForecastHTTP"]),

        .testTarget(name: "UserProfileDomainTests", dependencies: ["UserProfileDomain", "DataStoreTesting"]),
        .testTarget(
            name: "DataStoreCoreTests", dependencies: ["DataStoreCore", "DataStoreQueries", "DataStoreTesting"]),
        .testTarget(
            name: "DataStoreQueriesTests", dependencies: ["DataStoreQueries", "DataStoreCore", "DataStoreTesting"]),
        .testTarget(
            name: "DataStoreTestingTests", dependencies: ["DataStoreCore", "DataStoreQueries", "DataStoreTesting"]),
        // The length of randomized tests.
        .target(name: "TestScale", path: "Tests/TestScale"),
        .testTarget(
            name: "DataStorePlistTests",
            dependencies: [
                "DataStorePlist", "DataStoreTesting", "DataStoreCore", "DataStoreQueries", "CDataStoreSystem",
                "store-torture",
                "TortureKit", "TestScale",
                "defaults-comparison",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        // Compares the property-list store with UserDefaults, in processes that are killed or crash.
        .executableTarget(
            name: "defaults-comparison",
            dependencies: [
                "DataStorePlist", "DataStoreCore", .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/defaults-comparison"
        ),
        // Generators of damage to LMDB files.
        .target(name: "DamageTesting", dependencies: ["DataStoreTesting"], path: "Tests/DamageTesting"),
        .testTarget(
            name: "DataStoreLMDBTests",
            dependencies: [
                "DataStoreLMDB", "DataStoreTesting", "DataStoreCore", "DataStoreQueries",
                "RecordFraming", "CDataStoreLMDB", "CDataStoreSystem",
                "store-torture", "store-probe", "TortureKit", "TestScale", "DamageTesting",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        .testTarget(
            name: "DataStorePostgresTests",
            dependencies: [
                "DataStorePostgres", "UserProfileKit", "UserProfileData", "UserProfileDomain",
                "DataStoreTesting", "DataStoreCore", "DataStoreQueries", "CDataStorePostgres", "store-torture",
                "TortureKit", "TestScale", "RecordCoding", "UserProfileSealing",
            ]
        ),
        // Support for tests that run stores in separate processes, which crash or are killed.
        .target(
            name: "TortureKit",
            dependencies: [
                "DataStoreCore", "DataStoreQueries", .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/TortureKit"),
        .executableTarget(
            name: "store-torture",
            dependencies: [
                "DataStoreLMDB", "DataStorePlist", "DataStorePostgres", "DataStoreCore", "DataStoreQueries",
                "CDataStoreSystem", "TortureKit",
                .target(name: "UserProfileKit", condition: .when(traits: ["Sealing"])),
                .target(name: "UserProfileSealing", condition: .when(traits: ["Sealing"])),
            ],
            path: "Tests/store-torture"),
        .executableTarget(
            name: "store-probe", dependencies: ["DataStoreLMDB", "DataStoreCore"], path: "Tests/store-probe"),
        .testTarget(
            name: "UserProfileDataTests",
            dependencies: [
                "UserProfileData", "UserProfileDomain", "DataStoreCore", "DataStoreQueries", "DataStoreTesting",
                "DataTesting",
            ]
        ),
        .testTarget(
            name: "RecordCodingTests",
            dependencies: [
                "RecordCoding", "UserProfileData", "UserProfileDomain", "DataStoreCore", "DataStoreQueries",
                "DataStoreTesting", "DataTesting",
            ]
        ),
        // Stores in temporary directories, and access to their records without a repository.
        .target(
            name: "DataTesting",
            dependencies: [
                "UserProfileData", "UserProfileDomain", "DataStoreCore", "DataStorePlist", "DataStoreLMDB",
            ],
            path: "Tests/DataTesting"),
        // Web servers on the loopback interface, including faulty ones, and documents of weather services.
        .target(
            name: "WebTesting",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/WebTesting"
        ),
        .testTarget(
            name: "ProfileFormatsTests", dependencies: ["ProfileFormats", "UserProfileDomain", "DataStoreTesting"]),
        .testTarget(
            name: "ForecastAPITests",
            dependencies: ["ForecastAPI", "UserProfileDomain", "DataStoreTesting", "WebTesting"]),
        .testTarget(
            name: "ForecastHTTPTests",
            dependencies: ["ForecastHTTP", "ForecastAPI", "UserProfileDomain", "WebTesting"]),
        .testTarget(
            name: "UserProfileKitTests",
            dependencies: [
                "UserProfileKit", "UserProfileDomain", "UserProfileData", "RecordCoding", "ProfileFormats",
                "DataStoreCore", "DataStoreQueries", "DataStoreLMDB", "DataStorePlist", "DataStorePostgres",
                "DataStoreSystem", "CDataStoreSystem",
                "ForecastAPI", "ForecastHTTP", "WebTesting", "DataStoreTesting", "TestScale",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Telemetry"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Telemetry"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Telemetry"])),
            ]
        ),
        .testTarget(
            name: "UserProfileSealingTests",
            dependencies: [
                "UserProfileSealing", "DataStoreCore", "DataStoreQueries", "RecordFraming", "UserProfileKit",
                "UserProfileData", "UserProfileDomain", "RecordCoding", "DataStoreLMDB", "DataStorePlist",
                "DataTesting", "store-torture", "TortureKit", "TestScale",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Sealing"])),
            ],
            // A program in Python computes the vectors, with another implementation of the format.
            exclude: ["vectors.json", "vectors.py"]
        ),
        .testTarget(
            name: "ProfileCLITests",
            dependencies: [
                "profile-cli", "profile-cli-online", "ProfileCommands", "ProfileFormats", "UserProfileKit",
                "UserProfileDomain", "DataStoreCore", "DataStoreQueries", "DataStoreLMDB", "DataStorePlist",
                "DataStoreTesting", "WebTesting", "TestScale", "DamageTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    // SE-0335: an existential type requires `any`.
    settings.append(.enableUpcomingFeature("ExistentialAny"))
    // SE-0409: an import is internal by default.
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
    // SE-0444: a member is visible only in files that import its module.
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))
    // SE-0461: an async function stays on its caller's executor; a read from the main actor does not hop.
    settings.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    // SE-0470: a conformance of an isolated type is isolated too.
    settings.append(.enableUpcomingFeature("InferIsolatedConformances"))
    // SE-0458: each use of an unsafe construct requires `unsafe`.
    settings.append(.strictMemorySafety())
    // SE-0480: only in CI, so that new warnings of later compilers do not break the builds of users.
    if Context.environment["USERPROFILE_WARNINGS_AS_ERRORS"] == "1" {
        settings.append(.treatAllWarnings(as: .error))
    }
    target.swiftSettings = settings
}

// The installed command-line program contains the C libraries, too (`make install`).
if Context.environment["USERPROFILE_STATIC"] == "1" {
    for target in package.targets where target.name == "profile-cli" {
        target.linkerSettings = [.unsafeFlags(["-static-executable"], .when(platforms: [.linux]))]
    }
}

// The plug-in builds documentation (`make docs`). Packages that depend on this one do not need it, and do not fetch it.
if Context.environment["USERPROFILE_DOCS"] == "1" {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}
