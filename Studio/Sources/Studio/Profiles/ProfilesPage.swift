import UserProfileKit

/// A table of profiles, one page of a query at a time.
struct ProfilesPage: Page {
    static let template = "Profiles"

    /// A column by which the table can be sorted.
    struct Column: Sendable {
        let title: String
        /// The value of `aria-sort`: `ascending`, `descending` or `none`.
        let order: String
        let arrow: String
        /// The class of the column.
        let kind: String
        /// The address of the table in the order of this column, or in the reverse order if it is sorted already.
        let address: String
    }

    /// A profile.
    struct Row: Sendable {
        let id: String
        let address: String
        let mailAddress: String
        let birthday: String
        let day: String
        let age: String
        /// The addresses of the profiles that also have the value of this one, or `nil` without a value.
        let mailFilter: String?
        let birthdayFilter: String?
        let dayFilter: String?
    }

    let frame: Frame
    let title = "Profiles"
    let navigation = NavigationItem.items(current: ProfilesAddress.path)

    let filter: String
    let sort: String
    /// The error in the condition, or `nil`.
    let filterError: QueryMistake?
    /// The error in the order, or `nil`.
    let sortError: QueryMistake?
    /// Whether the address has a condition or an order.
    let isFiltered: Bool

    let columns: [Column]
    let rows: [Row]
    let hasRows: Bool
    /// The number of profiles on this page and on all pages, or `nil` for an empty page.
    let total: String?
    /// The reason why the table has no rows.
    let emptyText: String
    let isFirst: Bool
    let firstAddress: String
    let nextAddress: String?
    let eventsAddress: String?
    let editor: ProfileEditor?
    /// The message about the completed change, or `nil`.
    let notice: String?

    /// Reads the page that an address selects.
    ///
    /// - Parameters:
    ///   - address: The state of the page.
    ///   - users: The profiles.
    ///   - counts: The numbers of profiles.
    ///   - frame: The store.
    ///   - today: The day for which the page displays ages.
    ///   - editor: The form of a new profile, with the values and errors of a rejected one.
    ///   - notice: The message about the completed change.
    /// - Throws: `RepositoryError` if the profiles cannot be read. An invalid condition is part of the page.
    init(
        _ address: ProfilesAddress, in users: any Repository<User>, counts: RecordCounts, frame: Frame,
        today: CalendarDate, editor: ProfileEditor? = nil, notice: String? = nil
    ) async throws {
        var (filterError, sortError): (QueryError?, QueryError?)
        var page = UserProfileKit.Page<User>(entities: [], next: nil)
        do throws(QueryError) {
            _ = try address.filter.map { text throws(QueryError) in try Filter<User>(parsing: text) }
        } catch {
            filterError = error
        }
        do throws(QueryError) {
            _ = try address.sort.map { text throws(QueryError) in try Sort<User>.parse(text) }
        } catch {
            sortError = error
        }
        let isValid = filterError == nil && sortError == nil
        if isValid { page = try await users.find(try address.query()) }

        self.frame = frame
        self.filterError = filterError.map { QueryMistake($0.description) }
        self.sortError = sortError.map { QueryMistake($0.description) }
        self.editor = editor
        self.notice = notice
        filter = address.filter ?? ""
        sort = address.sort ?? ""
        isFiltered = address.filter != nil || address.sort != nil
        columns = ProfilesPage.columns(address)
        rows = page.entities.map { Row($0, today: today, address) }
        hasRows = !rows.isEmpty
        isFirst = address.cursor == nil
        total =
            if !hasRows {
                nil
            } else if isFirst, page.next == nil {
                rows.count.counted("profile")
            } else {
                ProfilesPage.total(rows.count, try await counts.count(.init(address)))
            }
        emptyText =
            if !isFirst {
                "No profiles follow."
            } else if !isValid {
                "The condition or the order is invalid, so no profiles are shown."
            } else if address.filter != nil {
                "No profile meets the condition."
            } else {
                "The store has no profiles."
            }
        var first = address
        first.cursor = nil
        firstAddress = first.text
        nextAddress = page.next.map { next in
            var address = address
            address.cursor = next
            return address.text
        }
        eventsAddress = isValid ? address.form.address("\(ProfilesAddress.path)/events") : nil
    }

    private static func total(_ rowCount: Int, _ count: RecordCounts.Count?) -> String {
        guard let count else { return "\(rowCount.counted("profile")) on this page; all profiles are being counted" }
        // A profile may have been created after the profiles were counted.
        let number = max(count.number, rowCount)
        return "\(rowCount) of \(count.isCurrent ? "" : "about ")\(number.counted("profile"))"
    }

    /// Returns the columns, each with the address that sorts by it. A column that is sorted reverses its order.
    private static func columns(_ address: ProfilesAddress) -> [Column] {
        [
            ("Id", "id", "id"), ("Mail address", "mail", ""), ("Birthday", "birthday", "date"), ("Day", "day", "date"),
        ].map { title, field, kind in
            // Without an order, profiles are in the order of their ids.
            let isAscending = [field, "\(field) asc"].contains(address.sort ?? "id")
            let isDescending = address.sort == "\(field) desc"
            var sorted = address
            sorted.cursor = nil
            sorted.sort = isAscending ? "\(field) desc" : field
            return Column(
                title: title, order: isAscending ? "ascending" : isDescending ? "descending" : "none",
                arrow: isAscending ? "▲" : isDescending ? "▼" : "", kind: kind, address: sorted.text)
        }
    }
}

extension ProfilesPage.Row {
    fileprivate init(_ user: User, today: CalendarDate, _ page: ProfilesAddress) {
        id = user.id.text
        address = ProfileAddress(user.id).text
        mailFilter = user.mailAddress.map { page.adding("mail", $0.text).text }
        birthdayFilter = user.birthday.map { page.adding("birthday", $0.text).text }
        dayFilter = user.birthday.map { page.adding("day", String($0.text.suffix(5))).text }
        mailAddress = user.mailAddress?.text ?? ""
        birthday = user.birthday?.text ?? ""
        day = String(birthday.suffix(5))
        age = user.birthday?.age(on: today).map { "\($0)" } ?? ""
    }
}
