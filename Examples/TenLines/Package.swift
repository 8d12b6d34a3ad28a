// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TenLines",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "UserProfile", path: "../..")],
    targets: [
        .executableTarget(
            name: "TenLines",
            dependencies: [
                .product(name: "UserProfileKit", package: "UserProfile")
            ])
    ]
)
