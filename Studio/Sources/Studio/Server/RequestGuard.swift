import HTTPTypes
import Hummingbird
import NIOCore

/// Admits only requests of the browser that was opened with the printed address.
///
/// - The `Host` must be the address of the connection, so a name that an attacker points to this machine is rejected.
///   A second `Host` is rejected, because two programs could choose different ones.
/// - The cookie must be present. A page of another site cannot send it, because it is `SameSite=Strict`.
/// - A request that changes something must come from a page of the studio, which the browser states in `Sec-Fetch-Site`
///   or `Origin`.
struct RequestGuard: RouterMiddleware {
    let access: Access
    let connections: Connections

    func handle(
        _ request: Request, context: StudioContext, next: (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        guard let port = context.channel.localAddress?.port, request.head.authority == "127.0.0.1:\(port)" else {
            return .text(.misdirectedRequest, "This server answers only to its own address.\n")
        }
        // The first field became the authority of the request.
        guard HTTPField.Name("Host").map({ request.headers[$0] == nil }) == true else {
            return .text(.badRequest, "Send one field Host.\n")
        }
        let isKnown = access.admits(request.headers[values: .cookie], port: port)
        if request.method == .get, request.uri.path == "/", let token = Form(query: request)["token"] {
            if let session = access.redeem(token) {
                connections.admit(context.channel)
                return .seeOther(
                    "/", [.setCookie: "\(Access.cookieName(port))=\(session); HttpOnly; SameSite=Strict; Path=/"])
            }
            // The user may open the printed address again in the same browser.
            if isKnown { return .seeOther("/") }
        }
        guard isKnown else { return .noAccess }
        switch request.method {
        case .get, .head: break
        case .post:
            guard isOwnPage(request, port) else {
                return .text(.forbidden, "Only pages of the studio may send this request.\n")
            }
        default: return .text(.methodNotAllowed, "Use GET or POST.\n", [.allow: "GET, POST"])
        }
        let response = try await next(request, context)
        guard response.headers[.contentType] == EventStream.mediaType else { return response }
        // The response to HEAD would state a length, and a stream has none.
        guard request.method == .get else { return .text(.methodNotAllowed, "Use GET.\n", [.allow: "GET"]) }
        connections.beginStream(context.channel)
        return response
    }

    private func isOwnPage(_ request: Request, _ port: Int) -> Bool {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) { return site == "same-origin" }
        return request.headers[.origin] == "http://127.0.0.1:\(port)"
    }
}

extension Response {
    fileprivate static var noAccess: Response {
        .text(
            .forbidden,
            """
            This browser has no access.
            Open the address that profile-studio printed. It can be used once; start profile-studio again for another.

            """)
    }
}
