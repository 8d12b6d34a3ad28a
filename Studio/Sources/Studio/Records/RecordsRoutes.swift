import Hummingbird
import UserProfileKit

/// The pages of records.
struct RecordsRoutes: Sendable {
    let storage: UserProfileStorage
    let templates: Templates
    let frame: Frame

    func add(to router: Router<StudioContext>) {
        router.get("/records") { request, _ in
            let page = try await RecordsPage(Form(query: request), in: storage, frame: frame)
            return Response.html(templates.render(page))
        }
        router.get("/records/events") { request, _ in
            let collection = Form(query: request)["collection"] ?? ""
            return EventStream.response { changed in await storage.observe(collection, changed) }
        }
    }
}
