/// A key and a value as an environment stores them.
struct EncodedEntry: Equatable, Sendable {
    let key: [UInt8]
    let value: [UInt8]
}
