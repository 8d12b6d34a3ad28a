extension ReadTransaction {
    /// Returns a line for each of a query's indexes that its plan does not use, with the reason.
    func unusedIndexes(_ query: RecordQuery) throws -> [String] {
        let plan = try QueryPlan(query, in: self)
        let unused = query.indexes.filter { index in !plan.paths.contains { $0.field == index.field } }
        return try unused.map { "index \"\($0.name)\": not used, \(try reason(against: $0, query, plan))" }
    }

    private func reason(against index: IndexDefinition, _ query: RecordQuery, _ plan: QueryPlan) throws -> String {
        let path = QueryPlan.Path(index, for: query)
        let field = index.field.components.first ?? index.field
        if path.strength == .existence, path.order.sortCount == 0 {
            return query.condition?.uses(field) == true
                ? "the condition on \(field.name) does not limit it to ranges of values"
                : "the query has no condition on \(field.name)"
        }
        // A store in memory builds an index when a query needs it.
        if !backend.isInMemory, try state(of: index, in: query.collection)?.isReady != true {
            return "it is not complete"
        }
        return switch plan {
        case .collection(.some): "the condition on the id selects fewer records"
        case .collection(nil) where query.limit != nil: "the page is complete sooner in the order of the ids"
        case .collection(nil): "another index fits better, but it is not complete"
        case .ranges(let others) where others.count > 1: "the indexes of the alternatives select fewer records"
        case .ranges, .order: "the index \(plan.paths[0].field.name) fits at least as well"
        }
    }
}

extension Condition {
    /// Returns whether a part of the condition is about a field or its stored value.
    fileprivate func uses(_ field: QueryField) -> Bool {
        switch self {
        case .compare(let other, _, _), .isIn(let other, _), .between(let other, _, _), .text(let other, _),
            .exists(let other):
            other == field || other.stored == field.stored
        case .any(let parts, let condition): field.part(after: parts).map(condition.uses) ?? (parts == field)
        case .and(let conditions), .or(let conditions): conditions.contains { $0.uses(field) }
        case .not(let condition): condition.uses(field)
        }
    }
}
