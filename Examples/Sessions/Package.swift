// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Sessions",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Sessions", targets: ["Sessions"])],
    dependencies: [
        // Only programs with sealed fields need the trait. It is here so that CI builds the package once.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .target(
            name: "Sessions",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Sessions",
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
