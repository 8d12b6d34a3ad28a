import DataStoreCore

extension Reference {
    /// The declaration of the reference as an operation of an error.
    fileprivate func declaration(of collection: String) -> String {
        "declare the reference \(field.name) of \(collection)"
    }
}

extension Schema.Collection {
    /// Throws a `DataStoreError` with the code `misuse` if no record can have the field of a rule, or if the field
    /// cannot have the values that the rule needs.
    func checkRules() throws(DataStoreError) {
        for reference in rules.references {
            let operation = reference.declaration(of: name)
            try Key.validate(collection: reference.target)
            if let problem = problem(with: reference.field) {
                throw DataStoreError(.misuse, problem, operation: operation)
            }
            if rules.references.count(where: { $0.field.stored == reference.field.stored }) > 1 {
                throw DataStoreError(
                    .misuse, "the field is declared twice; keep one of the references", operation: operation)
            }
            if reference.deletionRule == .clear, requiredFields.contains(reference.field.stored.name) {
                throw DataStoreError(
                    .misuse, "the field is required, so it cannot be cleared; make it optional, or choose another rule",
                    operation: operation)
            }
        }
        for (field, name) in [(rules.expiry, "expiry"), (rules.owner, "owner")] {
            guard let field else { continue }
            let problem = field.isSingle ? problem(with: field) : "\(field.name) has several values"
            if let problem { throw DataStoreError(.misuse, problem, operation: "declare the \(name) of \(self.name)") }
        }
        if let expiry = rules.expiry, let problem = fields.problem(with: expiry, .date, isRecord: false, of: recordName)
        {
            throw DataStoreError(.misuse, problem, operation: "declare the expiry of \(name)")
        }
    }

    private func problem(with field: QueryField) -> String? {
        guard field.components.isEmpty else { return "\(field.name) combines several fields" }
        return problem(with: field, nil, isRecord: false)
    }
}

extension StoreRules {
    /// Throws a `DataStoreError` with the code `misuse` if a reference restricts the deletion of records that expire.
    /// They end at their date, whatever refers to them.
    func checkRestrictions() throws(DataStoreError) {
        for name in names {
            for reference in try rules(of: name).references where reference.deletionRule == .restrict {
                guard try rules(of: reference.target).expiry != nil else { continue }
                throw DataStoreError(
                    .misuse,
                    "the records of \(reference.target) expire, so a reference cannot restrict their deletion; choose "
                        + "cascade or clear", operation: reference.declaration(of: name))
            }
        }
    }

    /// Checks that the records of a store follow the references that a schema adds.
    ///
    /// - Throws: `DataStoreError` with the code `brokenReference` if records refer to records that do not exist. The
    ///   error names the first ones.
    func check(
        of schema: Schema, replacing old: StoreRules, at now: Timestamp, in backend: any WriteBackend
    ) throws(DataStoreError) {
        for collection in schema.collections {
            let known = try old.rules(of: collection.name).references
            let added = collection.rules.references.filter { reference in
                !known.contains { $0.field == reference.field && $0.target.hasSameBytes(as: reference.target) }
            }
            if added.isEmpty { continue }
            let broken = try broken(added, of: collection.name, at: now, in: ReadTransaction(backend))
            if let error = broken.error { throw error }
        }
    }
}
