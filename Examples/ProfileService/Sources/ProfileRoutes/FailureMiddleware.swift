import Hummingbird
import UserProfileKit

/// Answers for what failed: which status it is, `Failure` knows.
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
                // What only the service's operator can do something about is not told to everybody.
                context.logger.error("\(request.method) failed", metadata: ["reason": "\(failure.message)"])
                throw HTTPError(.internalServerError)
            }
            throw HTTPError(status, message: failure.message)
        }
    }
}

extension Failure {
    /// The status of an answer; nil where it is the service's own matter.
    fileprivate var status: HTTPResponse.Status? {
        switch kind {
        case .badInput: .unprocessableContent
        case .notFound: .notFound
        case .busy, .unavailable, .cancelled: .serviceUnavailable
        default: nil
        }
    }
}
