/// A key and a value in the form in which an environment stores them.
struct EncodedEntry: Equatable, Sendable {
    let key: [UInt8]
    let value: [UInt8]
}
