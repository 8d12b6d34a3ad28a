import Hummingbird
import UserProfileKit

/// The page of birthdays.
struct BirthdaysRoutes: Sendable {
    let storage: UserProfileStorage
    let templates: Templates
    let frame: Frame
    let clock: Clock

    func add(to router: Router<StudioContext>) {
        router.get("/birthdays") { request, _ in
            let page = try await BirthdaysPage(Form(query: request), in: storage, frame: frame, clock: clock)
            return Response.html(templates.render(page))
        }
        router.get("/birthdays/events") { _, _ in
            let users = await LiveValue(0, storage.generations(of: "users"))
            return EventStream.response { users.isReady }
        }
    }
}
