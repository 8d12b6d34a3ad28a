// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Notes",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Only programs with sealed fields need the trait. It is here so that CI builds the package once.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "notes",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ])
    ]
)
