import HTTPTypes
import Hummingbird
import NIOCore

/// The files that pages refer to.
enum Assets {
    static func add(to router: Router<StudioContext>) {
        for (path, type, bytes) in [
            ("/studio.js", "text/javascript; charset=utf-8", PackageResources.studio_js),
            ("/studio.css", "text/css; charset=utf-8", PackageResources.studio_css),
            ("/icon.svg", "image/svg+xml", PackageResources.icon_svg),
        ] {
            router.get(RouterPath(path)) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: type],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        }
    }
}
