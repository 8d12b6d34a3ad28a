/// A type whose description and reflection consist of its name, because its properties contain entities.
///
/// Otherwise a program that logs an instance would log personal data.
package protocol HidesEntities: CustomStringConvertible, CustomReflectable {}

extension HidesEntities {
    /// The name of the type, without data.
    public var description: String { "\(Self.self)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
