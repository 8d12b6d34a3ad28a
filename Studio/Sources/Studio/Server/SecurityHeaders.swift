import HTTPTypes
import Hummingbird

/// Adds the headers that restrict what a browser does with a response, and removes the body of a response to HEAD.
struct SecurityHeaders: RouterMiddleware {
    /// Scripts, styles, images, connections and forms of the studio itself, and nothing else. Inline scripts and styles
    /// are not allowed, so stored text that a browser took for markup would have no effect.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private static let fields: HTTPFields = {
        var fields: HTTPFields = [.cacheControl: "no-store", .contentSecurityPolicy: policy]
        fields[.xContentTypeOptions] = "nosniff"
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()

    func handle(
        _ request: Request, context: StudioContext, next: (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.method == .head { response = response.createHeadResponse() }
        for field in SecurityHeaders.fields { response.headers[field.name] = field.value }
        return response
    }
}
