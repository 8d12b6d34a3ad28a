public import ArgumentParser
public import ProfileFormats
public import UserProfileKit

extension ProfileFormat: ExpressibleByArgument {}
extension ImportOptions.ErrorPolicy: ExpressibleByArgument {}

extension ProfileFormat {
    /// The format that was asked for, else that of the file's name, else JSON Lines.
    static func of(_ path: String, _ format: ProfileFormat?) -> ProfileFormat {
        format ?? .ofFile(named: path) ?? .jsonLines
    }
}
