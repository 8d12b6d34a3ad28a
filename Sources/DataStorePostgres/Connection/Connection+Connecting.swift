import CDataStorePostgres
import DataStoreSystem

/// Connecting to a server through the asynchronous functions of libpq, so that the store can configure a connection
/// before libpq uses it, and can limit the time.
extension Connection {
    /// Connects to the first host of a URI that accepts.
    ///
    /// - Parameters:
    ///   - target: The server and the database.
    ///   - hostTimeout: The maximum time for each host.
    ///   - deadline: The time at which all attempts end.
    /// - Returns: The connection.
    /// - Throws: `DataStoreError` if no host accepts.
    static func connect(
        to target: ConnectionTarget, hostTimeout: Duration, until deadline: ContinuousClock.Instant
    ) throws(DataStoreError) -> OpaquePointer {
        // The URI overrides the settings before it, and the settings after it override the URI.
        let settings = [
            ("target_session_attrs", "primary"), ("fallback_application_name", "UserProfile"),
            // libpq detects the loss of the server's machine soon enough to continue within ten seconds of a failover.
            ("tcp_user_timeout", "6000"), ("keepalives_idle", "3"), ("keepalives_interval", "1"),
            ("keepalives_count", "4"), ("dbname", target.uri), ("client_encoding", "UTF8"),
        ]
        var remaining: [(String, String)] = []
        while true {
            let raw = unsafe start(settings + remaining)
            guard let raw = unsafe raw else { throw DataStoreError(.full, "no memory is left for a connection") }
            let isFinished = unsafe waitUntilConnected(raw, hostTimeout: hostTimeout, until: deadline)
            if isFinished, unsafe PQstatus(raw) == CONNECTION_OK { return unsafe raw }
            defer { unsafe PQfinish(raw) }
            if isFinished { throw unsafe refusal(raw) }
            // libpq tries the next host only after an error, and a server that hangs causes none.
            let others = unsafe otherHosts(raw)
            guard let others, .now < deadline else {
                throw PostgresError.lost("the server did not answer within \(hostTimeout)")
            }
            remaining = others
        }
    }

    private static func start(_ settings: [(String, String)]) -> OpaquePointer? {
        // libpq copies the strings, which are freed after the call.
        let keys = unsafe settings.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        let values = unsafe settings.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer { unsafe (keys + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        let raw = unsafe PQconnectStartParams(keys, values, 1)
        // libpq would print messages of the server to the standard error of the program.
        _ = unsafe PQsetNoticeReceiver(raw, { _, _ in }, nil)
        // The message of a refused connection then contains the SQLSTATE.
        _ = unsafe PQsetErrorVerbosity(raw, PQERRORS_VERBOSE)
        return unsafe raw
    }

    /// Waits until a connection is established or refused. Returns `false` if a time limit ends first.
    private static func waitUntilConnected(
        _ raw: OpaquePointer, hostTimeout: Duration, until deadline: ContinuousClock.Instant
    ) -> Bool {
        guard unsafe PQstatus(raw) != CONNECTION_BAD else { return true }
        var (state, address, limit) = (PGRES_POLLING_WRITING, [""], deadline)
        while true {
            let current = unsafe [
                String(libpq: PQhost(raw)), String(libpq: PQhostaddr(raw)), String(libpq: PQport(raw)),
            ]
            if current != address { (address, limit) = (current, min(deadline, .now + hostTimeout)) }
            let left = limit - .now
            guard left > .zero else {
                // The failure of this address makes libpq try the next one.
                if unsafe PQstatus(raw) == CONNECTION_STARTED, .now < deadline,
                    unsafe shutdown(PQsocket(raw), Int32(SHUT_RDWR)) == 0
                {
                    limit = deadline
                    continue
                }
                return false
            }
            var descriptor = pollfd(
                fd: unsafe PQsocket(raw), events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            // The structure is valid during the call. An interrupted call returns early, and the loop waits again.
            guard unsafe poll(&descriptor, 1, Int32(clamping: left.milliseconds)) > 0 else { continue }
            state = unsafe PQconnectPoll(raw)
            if state == PGRES_POLLING_OK || state == PGRES_POLLING_FAILED { return true }
        }
    }

    /// Returns settings with the hosts of a URI except the one that did not answer, or `nil` if no other host is known.
    private static func otherHosts(_ raw: OpaquePointer) -> [(String, String)]? {
        // The array is freed here. It includes options of a service file.
        let options = unsafe PQconninfo(raw)
        defer { unsafe PQconninfoFree(options) }
        let lists = unsafe ConnectionTarget.values(of: options).mapValues { value in
            value.split(separator: ",", omittingEmptySubsequences: false)
        }
        let names = ["host", "hostaddr", "port"].filter { lists[$0]?.count ?? 0 > 1 }
        let count = lists["host"]?.count ?? 0
        let current = (unsafe String(libpq: PQhost(raw)), unsafe String(libpq: PQport(raw)))
        func value(_ name: String, _ index: Int) -> Substring? {
            lists[name].flatMap { $0.count == 1 ? $0.first : index < $0.count ? $0[index] : nil }
        }
        let others = (0..<count).filter { value("host", $0) ?? "" != current.0 || value("port", $0) ?? "" != current.1 }
        guard !others.isEmpty, others.count < count else { return nil }
        return names.map { name in (name, others.map { String(value(name, $0) ?? "") }.joined(separator: ",")) }
    }

    /// Returns the error for a refused connection. Its cause is known by the SQLSTATE, because the language of the
    /// message depends on the server and on this machine.
    private static func refusal(_ raw: OpaquePointer) -> DataStoreError {
        // libpq indents continued lines with tabs.
        let lines = unsafe String(libpq: PQerrorMessage(raw)).split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
        if unsafe PQconnectionNeedsPassword(raw) == 1 {
            return PostgresError(sqlState: PostgresError.wrongPassword, "no password", isConnectionLost: false).mapped()
        }
        // A server reports its parameters after it has accepted the user, and libpq then rejects a standby.
        if unsafe String(libpq: PQparameterStatus(raw, "in_hot_standby")) == "on" {
            return PostgresError(sqlState: PostgresError.readOnly, "hot standby", isConnectionLost: true).mapped()
        }
        for line in lines {
            // The line has the form `FATAL:  3D000: …`, in which the first word depends on the language.
            guard let match = line.firstMatch(of: /: {2}([0-9A-Z]{5}): (.*)/) else { continue }
            let state = String(match.1)
            let isTransient = state == "53300" || state.hasPrefix("57") || state.hasPrefix("08")
            return PostgresError(sqlState: state, String(match.2), isConnectionLost: isTransient).mapped()
        }
        return PostgresError.lost(lines.joined(separator: "; "))
    }
}
