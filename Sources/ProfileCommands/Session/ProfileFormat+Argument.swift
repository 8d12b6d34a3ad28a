public import ArgumentParser
public import ProfileFormats
public import UserProfileKit

extension ProfileFormat: ExpressibleByArgument {}
extension ImportOptions.ErrorPolicy: ExpressibleByArgument {}

extension ProfileFormat {
    /// Returns the requested format, otherwise the one of the file name extension, otherwise JSON Lines.
    static func of(_ path: String, _ format: ProfileFormat?) -> ProfileFormat {
        format ?? .ofFile(named: path) ?? .jsonLines
    }
}
