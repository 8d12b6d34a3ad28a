import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Returns a response with plain text.
    static func text(_ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields = [:]) -> Response {
        Response(
            status: status, headers: fields.adding(.contentType, "text/plain; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns a response with a page.
    static func html(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// Returns a redirection. The browser continues with GET, so reloading the page does not repeat a change.
    static func seeOther(_ address: String, _ fields: HTTPFields = [:]) -> Response {
        Response(status: .seeOther, headers: fields.adding(.location, address))
    }
}

extension HTTPFields {
    fileprivate func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}

extension Form {
    /// The query of the address of a request.
    init(query request: Request) { self.init(encoded: request.uri.query ?? "") }
}
