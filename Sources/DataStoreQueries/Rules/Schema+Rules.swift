extension Reference {
    /// Returns the error which states why the declaration of the reference is invalid.
    fileprivate func invalid(in collection: String, _ problem: String) -> DataStoreError {
        .invalidDeclaration(of: "the reference \(field.name) of \(collection)", problem)
    }
}

extension Schema.Collection {
    /// Throws a `DataStoreError` with the code `misuse` if no record can have the field of a rule, or if the field
    /// cannot have the values that the rule needs.
    func checkRules() throws(DataStoreError) {
        for reference in rules.references {
            try Key.validate(collection: reference.target)
            if let problem = problem(with: reference.field) { throw reference.invalid(in: name, problem) }
            if rules.references.count(where: { $0.field.stored == reference.field.stored }) > 1 {
                throw reference.invalid(in: name, "the field is declared twice; keep one of the references")
            }
            if reference.deletionRule == .clear, requiredFields.contains(reference.field.stored.name) {
                throw reference.invalid(
                    in: name, "the field is required, so it cannot be cleared; make it optional, or choose another rule"
                )
            }
        }
        for (field, name, kind) in [(rules.expiry, "expiry", FieldTree.Kind.date), (rules.owner, "owner", nil)] {
            guard let field else { continue }
            let problem = field.isSingle ? problem(with: field, kind) : "\(field.name) has several values"
            if let problem { throw .invalidDeclaration(of: "the \(name) of \(self.name)", problem) }
        }
    }
}

extension StoreRules {
    /// Throws a `DataStoreError` with the code `misuse` if a reference restricts the deletion of records that expire.
    /// They end at their date, whatever refers to them.
    func checkRestrictions() throws(DataStoreError) {
        for (name, rules) in try all() {
            for reference in rules.references where reference.deletionRule == .restrict {
                guard try self.rules(of: reference.target).expiry != nil else { continue }
                throw reference.invalid(
                    in: name,
                    "the records of \(reference.target) expire, so a reference cannot restrict their deletion; "
                        + "choose cascade or clear")
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
