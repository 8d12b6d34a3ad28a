public import ArgumentParser
public import ProfileFormats
public import UserProfileKit

extension ProfileFormat: ExpressibleByArgument {}
extension ImportOptions.ErrorPolicy: ExpressibleByArgument {}

extension ProfileFormat {
    /// Returns the requested format. Without a request, the extension of the file name determines the format. The
    /// default is JSON Lines.
    static func of(_ path: String, _ format: ProfileFormat?) -> ProfileFormat {
        format ?? .ofFile(named: path) ?? .jsonLines
    }
}
