// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ProfileService",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ProfileRoutes", targets: ["ProfileRoutes"])],
    dependencies: [
        // Only programs with sealed fields need the trait. It is here so that CI builds the package once.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // The routes of the service, which work with any storage.
        .target(
            name: "ProfileRoutes",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        // The program, which selects the store and the port.
        .executableTarget(
            name: "ProfileService",
            dependencies: [
                "ProfileRoutes",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "ProfileRoutesTests",
            dependencies: [
                "ProfileRoutes", "ProfileService",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)
