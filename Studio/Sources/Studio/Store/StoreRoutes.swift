import Hummingbird
import UserProfileKit

/// The page of the store, and its check. A check reads, so it needs no permission to change the store.
struct StoreRoutes: Sendable {
    let storage: UserProfileStorage
    let location: StorageLocation
    let templates: Templates
    let frame: Frame
    let check: StoreCheck
    let counts: RecordCounts

    func add(to router: Router<StudioContext>) {
        router.get("/store") { request, _ in
            let page = await StorePage(
                Form(query: request), in: storage, at: location, counts: counts, check: check.state, frame: frame)
            return Response.html(templates.render(page))
        }
        router.get("/store/events") { _, _ in
            EventStream.response { [check, counts] in
                _ = (check.state, counts.revision)
                return true
            }
        }
        router.post("/store/check") { _, _ in
            await check.start()
            return Response.seeOther(StorePage.path)
        }
        router.post("/store/check/cancel") { _, _ in
            await check.cancel()
            return Response.seeOther(StorePage.path)
        }
    }
}
