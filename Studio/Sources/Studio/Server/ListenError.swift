import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The server cannot listen on its port.
public struct ListenError: Error, CustomStringConvertible {
    /// Whether the system does not permit this port.
    public let isForbidden: Bool

    /// The reason, and a remedy.
    public let description: String

    init(_ port: Int, _ error: IOError) {
        isForbidden = [EACCES, EPERM].contains(error.errnoCode)
        let reason =
            switch error.errnoCode {
            case EADDRINUSE: "another program uses the port"
            case EACCES, EPERM: "the system does not permit this port"
            default: "\(error)"
            }
        description =
            "could not listen on 127.0.0.1:\(port): \(reason); choose another port with --port, or omit --port"
    }
}
