/// The expiry of a collection at one moment: a record whose date has come counts as missing.
package struct Expiry: Sendable {
    let field: QueryField
    let now: Timestamp

    /// The condition that a record has not expired.
    var condition: Condition { .not(.compare(field, .lessOrEqual, .date(now))) }

    /// Returns whether a record has expired.
    package func hasPassed(_ record: borrowing RecordView) throws(DataStoreError) -> Bool {
        try date(of: record).map { $0 <= now } == true
    }

    /// Returns the date from which a record counts as missing, or `nil` if the record does not expire.
    package func date(of record: borrowing RecordView) throws(DataStoreError) -> Timestamp? {
        // Each read of a record asks, so no array is created.
        var earliest: Timestamp?
        _ = try field.hasValue(in: record, id: "") { value in
            if case .date(let date) = value { earliest = min(earliest ?? date, date) }
            return false
        }
        return earliest
    }
}

extension ReadTransaction {
    /// Returns the expiry of a collection, or `nil` if its records do not expire.
    package func expiry(
        of collection: String, at now: @autoclosure () -> Timestamp
    ) throws(DataStoreError) -> Expiry? {
        // Most stores have no rules, and each read of an entity asks.
        if backend.cache?.rules === StoreRules.none { return nil }
        return try rules().expiry(of: collection, at: now())
    }

    /// Returns the date on which the next record of a collection expires, or `nil` if none will expire.
    package func nextExpiry(of collection: String, after now: Timestamp) throws -> Timestamp? {
        guard let expiry = try expiry(of: collection, at: now) else { return nil }
        let query = RecordQuery(
            collection, where: .compare(expiry.field, .greater, .date(now)), sort: [.ascending(expiry.field)],
            limit: 1, indexes: [IndexDefinition(expiry.field)], hidesExpired: false)
        return try records(matching: query).entries.first.flatMap { try expiry.date(of: RecordView($0.record)) }
    }
}

extension StoreRules {
    /// Returns the expiry of a collection, or `nil` if its records do not expire.
    func expiry(
        of collection: String, at now: @autoclosure () -> Timestamp
    ) throws(DataStoreError) -> Expiry? {
        guard canExpire, let field = try rules(of: collection).expiry else { return nil }
        return Expiry(field: field, now: now())
    }
}

extension WriteTransaction {
    /// Returns the expiry of a collection, or `nil` if its records do not expire.
    package func expiry(
        of collection: String, at now: @autoclosure () -> Timestamp
    ) throws(DataStoreError) -> Expiry? {
        guard let maintenance = maintenance as? RecordMaintenance else {
            return try reading.expiry(of: collection, at: now())
        }
        return try maintenance.rules(in: backend).expiry(of: collection, at: now())
    }
}

extension RecordQuery {
    /// Returns the query with the condition that a record has not expired, or `nil` if the records of its collection do
    /// not expire.
    func hidingExpired(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> RecordQuery? {
        guard hidesExpired, let expiry = try transaction.expiry(of: collection, at: now()) else { return nil }
        var query = self
        query.hidesExpired = false
        query.condition = .and((condition.map { [$0] } ?? []) + [expiry.condition])
        return query
    }
}
