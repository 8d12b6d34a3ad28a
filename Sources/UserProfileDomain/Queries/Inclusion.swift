/// A query that also loads the entities to which the found entities refer. Create it with `including(_:of:)`.
///
/// ```swift
/// let inclusion = Query<Appointment>().including(\.patientID, of: Patient.self)
/// let page = try await storage.unitOfWork.find(inclusion)
/// ```
public struct Inclusion<Entity: Identifiable & Sendable, Other: Identifiable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable, Other.ID: Hashable & Sendable {
    /// The entities that an inclusion has found, and the position of the next page.
    ///
    /// ```swift
    /// for (appointment, patient) in page.pairs { print(appointment.startsAt, patient?.name ?? "") }
    /// ```
    public struct Page: Sendable {
        /// The found entities in the order of the query, each with the entity to which it refers. The other entity is
        /// `nil` if the entity refers to none.
        public let pairs: [(entity: Entity, other: Other?)]

        /// The position at which the next page starts, or `nil` if this is the last page.
        public let next: Query<Entity>.Cursor?
    }

    let query: Query<Entity>
    let id: @Sendable (Entity) -> Other.ID?
}

extension Query {
    /// Returns a query that also loads the entities to which a property refers.
    ///
    /// ```swift
    /// let today = Query<Appointment>(where: .between(\.startsAt, morning..<evening))
    /// let page = try await storage.unitOfWork.find(today.including(\.patientID, of: Patient.self))
    /// for (appointment, patient) in page.pairs { print(appointment.startsAt, patient?.name ?? "") }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The property with the id of the other entity, e.g. `\.patientID`. The property may be optional.
    ///   - other: The type of the other entity.
    /// - Returns: The query. Pass it to `find(_:)` of a unit of work or a snapshot.
    public func including<Other>(
        _ id: @escaping @Sendable (Entity) -> Other.ID?, of other: Other.Type
    ) -> Inclusion<Entity, Other> {
        Inclusion(query: self, id: id)
    }
}

extension SnapshotScope {
    /// Runs a query and loads the entities to which its results refer. Each of them is read once, however many results
    /// refer to it.
    public func find<Entity, Other>(_ inclusion: Inclusion<Entity, Other>) throws -> Inclusion<Entity, Other>.Page {
        let page = try repository(of: Entity.self).find(inclusion.query)
        let ids = Set(page.entities.compactMap(inclusion.id))
        let others = try repository(of: Other.self).find(Array(ids))
        let found = Dictionary(others.map { ($0.id, $0) }) { first, _ in first }
        let pairs = page.entities.map { entity in
            (entity: entity, other: inclusion.id(entity).flatMap { found[$0] })
        }
        return Inclusion<Entity, Other>.Page(pairs: pairs, next: page.next)
    }
}

extension UnitOfWork {
    /// Runs a query and loads the entities to which its results refer, from one snapshot.
    ///
    /// - Parameter inclusion: The query with the property to follow.
    /// - Returns: The entities in pairs.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func find<Entity, Other>(
        _ inclusion: Inclusion<Entity, Other>
    ) async throws -> Inclusion<Entity, Other>.Page {
        try await snapshot { try $0.find(inclusion) }
    }
}
