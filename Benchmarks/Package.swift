// swift-tools-version: 6.2

import PackageDescription

// Benchmarks are a separate package, so that programs that embed the library do not fetch the peers.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "UserProfile", path: "..", traits: ["Sealing"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "CAllocations"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CLMDB", "CPostgres", "CAllocations",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "UserProfileDomain", package: "UserProfile"),
                .product(name: "UserProfileData", package: "UserProfile"),
                .product(name: "UserProfileSealing", package: "UserProfile"),
                .product(name: "DataStoreLMDB", package: "UserProfile"),
                .product(name: "DataStorePlist", package: "UserProfile"),
                .product(name: "DataStorePostgres", package: "UserProfile"),
                .product(name: "DataStoreCore", package: "UserProfile"),
                .product(name: "DataStoreQueries", package: "UserProfile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
