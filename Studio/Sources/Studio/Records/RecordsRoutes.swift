import Hummingbird
import UserProfileKit

/// The pages of records, and their changes.
struct RecordsRoutes: Sendable {
    let storage: UserProfileStorage
    let templates: Templates
    let frame: Frame
    let clock: Clock

    func add(to router: Router<StudioContext>) {
        router.get("/records") { request, _ in
            let page = try await RecordsPage(RecordsAddress(Form(query: request)), in: storage, frame: frame)
            return Response.html(templates.render(page))
        }
        router.get("/records/events") { request, _ in
            let records = await LiveValue(0, storage.generations(of: Form(query: request)["collection"] ?? ""))
            return EventStream.response { records.isReady }
        }
        router.get("/record") { request, _ in
            let form = Form(query: request)
            let notice = form["done"] == "saved" ? "The record was saved." : nil
            return try await page(RecordAddress(form), notice: notice)
        }
        router.addChange("/record/save", frame, templates) { request in
            let address = RecordAddress(Form(query: request))
            var editor = RecordEditor(try await Form(body: request))
            guard RecordEditor.canEdit(address.collection) else {
                return try await page(address, status: .unprocessableContent)
            }
            guard try await editor.save(for: address.key(), in: storage, now: clock.now()) else {
                return try await page(address, editor: editor, status: .unprocessableContent)
            }
            return .seeOther(address.address(notice: "saved"))
        }
    }

    private func page(
        _ address: RecordAddress, editor: RecordEditor? = nil, notice: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let page = try await RecordPage(address, in: storage, frame: frame, editor: editor, notice: notice)
        return .html(templates.render(page), status: page.exists ? status : .notFound)
    }
}
