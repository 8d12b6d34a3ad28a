import Hummingbird
import UserProfileKit

/// Shows errors as pages with the message that the command line prints.
struct FailureMiddleware: RouterMiddleware {
    let templates: Templates
    let frame: Frame

    func handle(
        _ request: Request, context: StudioContext, next: (Request, StudioContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let body as RejectedBody {
            return body.response(context)
        } catch let error as any HTTPResponseError {
            let problem = error.status == .notFound ? "the studio has no page with this address" : "the request failed"
            let page = MessagePage(
                frame: frame, title: error.status.reasonPhrase, message: "\(request.uri.path): \(problem)")
            return .html(templates.render(page), status: error.status)
        } catch {
            let failure = Failure(error)
            let page = MessagePage(frame: frame, title: "The request failed", message: failure.message)
            return .html(templates.render(page), status: failure.status)
        }
    }
}

extension Failure {
    fileprivate var status: HTTPResponse.Status {
        switch kind {
        case .badInput, .cannotCreate, .noInput: .unprocessableContent
        case .notFound: .notFound
        case .noPermission: .forbidden
        case .busy, .unavailable, .cancelled: .serviceUnavailable
        default: .internalServerError
        }
    }
}
