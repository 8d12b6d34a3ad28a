import Hummingbird
import UserProfileKit

/// A middleware that converts errors to responses. `Failure` determines the status.
struct FailureMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError {
            throw error
        } catch {
            let failure = Failure(error)
            guard let status = failure.status else {
                // A failure that only the operator can resolve is logged and not described to the client.
                context.logger.error("\(request.method) failed", metadata: ["reason": "\(failure.message)"])
                throw HTTPError(.internalServerError)
            }
            throw HTTPError(status, message: failure.message)
        }
    }
}

extension Failure {
    /// The status of a response, or `nil` if the failure is internal to the service.
    fileprivate var status: HTTPResponse.Status? {
        switch kind {
        case .badInput: .unprocessableContent
        case .notFound: .notFound
        case .busy, .unavailable, .cancelled: .serviceUnavailable
        default: nil
        }
    }
}
