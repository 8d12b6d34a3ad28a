// swift-tools-version: 6.2

import PackageDescription

// A separate package, which `make power-loss` builds.
let package = Package(
    name: "PowerLoss",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "UserProfile", path: "../..")],
    targets: [
        .target(name: "CRecorder"),
        .executableTarget(
            name: "PowerLoss",
            dependencies: [
                "CRecorder",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "UserProfileDomain", package: "UserProfile"),
                .product(name: "DataStoreLMDB", package: "UserProfile"),
                .product(name: "DataStorePlist", package: "UserProfile"),
                .product(name: "DataStoreCore", package: "UserProfile"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CRecorder" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]
}
