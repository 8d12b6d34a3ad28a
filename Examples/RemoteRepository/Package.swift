// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "RemoteRepository",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Only programs with sealed fields need the trait. It is here so that CI builds the package once.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"]),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        // Only for the tests, which start the service.
        .package(name: "ProfileService", path: "../ProfileService"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        // A client needs only the domain, and neither a store nor the service.
        .target(
            name: "RemoteRepository",
            dependencies: [
                .product(name: "UserProfileDomain", package: "UserProfile"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(
            name: "RemoteRepositoryTests",
            dependencies: [
                "RemoteRepository",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "DataStoreTesting", package: "UserProfile"),
                .product(name: "ProfileRoutes", package: "ProfileService"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
    ]
)
