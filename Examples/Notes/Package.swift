// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Notes",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "UserProfile", path: "../.."),
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
