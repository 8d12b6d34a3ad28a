public import ArgumentParser
public import ProfileFormats
public import UserProfileKit

extension ProfileFormat: ExpressibleByArgument {}
extension ImportOptions.ErrorPolicy: ExpressibleByArgument {}

extension ProfileFormat {
    /// Returns the requested format, or the format for the extension of the file name if `format` is `nil`. If the
    /// extension is unknown, returns JSON Lines.
    static func of(_ path: String, _ format: ProfileFormat?) -> ProfileFormat {
        format ?? .ofFile(named: path) ?? .jsonLines
    }
}
