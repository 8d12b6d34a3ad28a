package import DataStoreCore

/// The expiry of a collection at one moment: a record whose date has come counts as missing.
package struct Expiry: Sendable {
    let field: QueryField
    let now: Timestamp

    /// The condition that a record has not expired.
    var condition: Condition { .not(.compare(field, .lessOrEqual, .date(now))) }

    /// Returns whether a record has expired.
    package func hasPassed(_ record: borrowing RecordView) throws(DataStoreError) -> Bool {
        try record.hasExpired(by: field, at: now)
    }
}

extension RecordView {
    func hasExpired(by field: QueryField, at now: Timestamp) throws(DataStoreError) -> Bool {
        try field.hasValue(in: self, id: "") { value in
            if case .date(let date) = value { date <= now } else { false }
        }
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
}

extension StoreRules {
    /// Returns the expiry of a collection, or `nil` if its records do not expire.
    fileprivate func expiry(
        of collection: String, at now: @autoclosure () -> Timestamp
    ) throws(DataStoreError) -> Expiry? {
        guard !isEmpty, let field = try rules(of: collection).expiry else { return nil }
        return Expiry(field: field, now: now())
    }
}

extension WriteTransaction {
    /// Returns the expiry of a collection, or `nil` if its records do not expire.
    package func expiry(
        of collection: String, at now: @autoclosure () -> Timestamp
    ) throws(DataStoreError) -> Expiry? {
        guard let maintenance = indexes as? IndexMaintenance else {
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
