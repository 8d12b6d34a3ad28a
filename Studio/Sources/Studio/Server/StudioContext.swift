import Hummingbird
import NIOCore

/// The context of a request: its connection.
struct StudioContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    /// The connection.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
