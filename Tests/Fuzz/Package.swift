// swift-tools-version: 6.2

import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "UserProfile") }

// This is a separate package because its programs use the `main` of libFuzzer. `make fuzz` builds them.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "UserProfile", path: "../..", traits: ["Sealing"])],
    targets: [
        .target(name: "CAllocations"),
        .target(name: "FuzzSupport"),
        .target(
            name: "FuzzProperties",
            dependencies: ["CAllocations", "FuzzSupport", product("DataStoreLMDB"), product("DataStoreCore")]
        ),
        .executableTarget(name: "FuzzCBOR", dependencies: ["FuzzProperties", "FuzzSupport"]),
        .executableTarget(
            name: "FuzzRecords", dependencies: ["FuzzProperties", "FuzzSupport", product("DataStoreCore")]),
        .executableTarget(
            name: "FuzzPages", dependencies: ["FuzzSupport", product("DataStoreLMDB"), product("DataStoreCore")]),
        // Each format of property lists has its own parser, and therefore its own program.
        .target(
            name: "PlistProperties",
            dependencies: ["FuzzSupport", product("DataStorePlist"), product("DataStoreCore")]
        ),
        .executableTarget(name: "FuzzXML", dependencies: ["PlistProperties", "FuzzSupport"]),
        .executableTarget(name: "FuzzBinary", dependencies: ["PlistProperties", "FuzzSupport"]),
        .executableTarget(
            name: "FuzzJSON", dependencies: ["FuzzSupport", product("ForecastAPI"), product("UserProfileDomain")]),
        .target(
            name: "ProfileProperties",
            dependencies: ["FuzzSupport", product("UserProfileKit"), product("UserProfileDomain")]),
        .executableTarget(name: "FuzzJSONLines", dependencies: ["ProfileProperties", "FuzzSupport"]),
        .executableTarget(
            name: "FuzzCSV", dependencies: ["ProfileProperties", "FuzzSupport", product("UserProfileDomain")]),
        .executableTarget(name: "FuzzMail", dependencies: ["FuzzSupport", product("UserProfileDomain")]),
        .executableTarget(name: "FuzzDates", dependencies: ["FuzzSupport", product("UserProfileDomain")]),
        .executableTarget(
            name: "FuzzSealed", dependencies: ["FuzzSupport", product("UserProfileSealing"), product("DataStoreCore")]),
        .executableTarget(
            name: "FuzzQuery",
            dependencies: ["FuzzSupport", product("UserProfileKit"), product("UserProfileDomain")]),
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
