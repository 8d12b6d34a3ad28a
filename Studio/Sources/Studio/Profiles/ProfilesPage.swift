import UserProfileKit

/// A table of profiles, one page of a query at a time.
struct ProfilesPage: Page {
    static let template = "Profiles"

    /// A column by which the table can be sorted.
    struct Column: Sendable {
        let title: String
        /// The value of `aria-sort`: `ascending`, `descending` or `none`.
        let order: String
        let isSorted: Bool
        let arrow: String
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
    }

    let frame: Frame
    let title = "Profiles"
    let navigation = NavigationItem.items(current: ProfilesAddress.path)

    let filter: String
    let sort: String
    /// The error in the condition, with a mark below the mistake, or `nil`.
    let filterError: String?
    /// The error in the order, or `nil`.
    let sortError: String?
    let isFiltered: Bool

    let columns: [Column]
    let rows: [Row]
    let hasRows: Bool
    /// What the table says if it has no rows: why.
    let emptyText: String
    let isFirst: Bool
    let firstAddress: String
    let nextAddress: String?
    let eventsAddress: String?
    let editor: ProfileEditor?
    /// What the last request did, or `nil`.
    let notice: String?

    /// Reads the page that an address selects.
    ///
    /// - Parameters:
    ///   - address: The state of the page.
    ///   - users: The profiles.
    ///   - frame: The store.
    ///   - today: The day for which the page displays ages.
    ///   - editor: The form of a new profile, with the values and errors of a rejected one.
    ///   - notice: What the last request did.
    /// - Throws: `RepositoryError` if the profiles cannot be read. An invalid condition is part of the page.
    init(
        _ address: ProfilesAddress, in users: any Repository<User>, frame: Frame, today: CalendarDate,
        editor: ProfileEditor? = nil, notice: String? = nil
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
        self.filterError = filterError?.description
        self.sortError = sortError?.description
        self.editor = editor
        self.notice = notice
        filter = address.filter ?? ""
        sort = address.sort ?? ""
        isFiltered = address.filter != nil
        columns = ProfilesPage.columns(address)
        rows = page.entities.map { Row($0, today: today) }
        hasRows = !rows.isEmpty
        isFirst = address.cursor == nil
        emptyText =
            if !isFirst {
                "No profiles follow."
            } else if !isValid {
                "The condition is invalid, so no profiles are shown."
            } else if isFiltered {
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

    /// Returns the columns, each with the address that sorts by it. A column that is sorted reverses its order.
    private static func columns(_ address: ProfilesAddress) -> [Column] {
        [("Id", "id"), ("Mail address", "mail"), ("Birthday", "birthday"), ("Day", "day")].map { title, field in
            // Without an order, profiles are in the order of their ids.
            let isAscending = [field, "\(field) asc"].contains(address.sort ?? "id")
            let isDescending = address.sort == "\(field) desc"
            var sorted = address
            sorted.cursor = nil
            sorted.sort = isAscending ? "\(field) desc" : field
            return Column(
                title: title, order: isAscending ? "ascending" : isDescending ? "descending" : "none",
                isSorted: isAscending || isDescending, arrow: isAscending ? "▲" : isDescending ? "▼" : "",
                address: sorted.text)
        }
    }
}

extension ProfilesPage.Row {
    fileprivate init(_ user: User, today: CalendarDate) {
        id = user.id.text
        address = ProfileAddress(user.id).text
        mailAddress = user.mailAddress?.text ?? ""
        birthday = user.birthday?.text ?? ""
        day = String(birthday.suffix(5))
        age = user.birthday?.age(on: today).map { "\($0)" } ?? ""
    }
}
