// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TenLines",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Only programs with sealed fields need the trait. It is here so that CI builds the package once.
        .package(name: "UserProfile", path: "../..", traits: ["Sealing"])
    ],
    targets: [
        .executableTarget(
            name: "TenLines",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile")
            ])
    ]
)
