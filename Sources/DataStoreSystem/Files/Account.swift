/// The user account of the process.
package enum Account {
    /// The home directory according to the operating system, independent of `HOME`. It is `nil` if the account has
    /// none.
    package static var homeDirectory: String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        // The entry points into the buffer. The text is copied while both are valid.
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress,
                unsafe getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0, unsafe found != nil
            else { return nil }
            return unsafe entry.pw_dir.map { unsafe String(cString: $0) }
        }
    }
}
