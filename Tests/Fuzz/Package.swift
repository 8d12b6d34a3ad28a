// swift-tools-version: 6.2

import PackageDescription

// A separate package, because its programs use the `main` of libFuzzer: `make fuzz` builds them.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "UserProfile", path: "../..")],
    targets: [
        .target(name: "CAllocations"),
        .target(
            name: "FuzzProperties",
            dependencies: [
                "CAllocations",
                .product(name: "DataStoreLMDB", package: "UserProfile"),
                .product(name: "DataStoreCore", package: "UserProfile"),
            ]
        ),
        .executableTarget(
            name: "FuzzPlist",
            dependencies: [
                .product(name: "DataStorePlist", package: "UserProfile"),
                .product(name: "DataStoreMemory", package: "UserProfile"),
                .product(name: "DataStoreCore", package: "UserProfile"),
            ]
        ),
        .executableTarget(name: "FuzzCBOR", dependencies: ["FuzzProperties"]),
        .executableTarget(
            name: "FuzzJSON",
            dependencies: [
                .product(name: "ForecastAPI", package: "UserProfile"),
                .product(name: "UserProfileDomain", package: "UserProfile"),
            ]
        ),
        .executableTarget(
            name: "FuzzRecords",
            dependencies: [
                "FuzzProperties",
                .product(name: "DataStoreCore", package: "UserProfile"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CAllocations" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]
}
