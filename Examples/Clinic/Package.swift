// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Clinic",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Sealed fields need the trait.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"])
    ],
    targets: [
        .target(
            name: "Clinic",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "UserProfileSealing", package: "UserProfile"),
            ]),
        .testTarget(
            name: "ClinicTests",
            dependencies: [
                "Clinic",
                .product(name: "DataStoreCore", package: "UserProfile"),
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "UserProfileSealing", package: "UserProfile"),
            ],
            // An async function of a test runs on the actor of its caller.
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    ],
    swiftLanguageModes: [.v6]
)
