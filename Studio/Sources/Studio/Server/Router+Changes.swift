import Hummingbird

extension Router<StudioContext> {
    /// Adds an action that changes the store. A studio that only reads rejects it.
    func addChange(
        _ path: RouterPath, _ frame: Frame, _ templates: Templates,
        _ change: @escaping @Sendable (Request) async throws -> Response
    ) {
        post(path) { request, _ -> Response in
            guard frame.isWritable else {
                let page = MessagePage(
                    frame: frame, title: "Read-only",
                    message: "This studio only reads. Start profile-studio with --write to change the store.")
                return .html(templates.render(page), status: .forbidden)
            }
            return try await change(request)
        }
    }
}
