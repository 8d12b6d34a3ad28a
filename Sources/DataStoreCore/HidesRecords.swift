/// A type whose description and reflection consist of its name, because its properties contain records or keys.
///
/// Otherwise a program that logs an instance would log personal data.
package protocol HidesRecords: CustomStringConvertible, CustomReflectable {}

extension HidesRecords {
    /// The name of the type, without data.
    public var description: String { "\(Self.self)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
