import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The set-up of a connection.
struct StudioChannel: ServerChildChannel {
    let http: HTTP1Channel
    let access: Access
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        connections.add(channel)
        return http.setup(channel: channel, logger: logger).flatMapThrowing { [access, connections] value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(
                RequestHeadHandler(access: access, connections: connections), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}

/// Examines the head of each request before it is converted, on the thread of the connection.
///
/// - A connection is admitted if the request has the cookie. The guard of requests would admit it too late if the
///   server is busy.
/// - The field `Host` is emptied if the target of the request names another host. The conversion drops the host of the
///   target.
private final class RequestHeadHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let access: Access
    private let connections: Connections

    init(access: Access, connections: Connections) {
        self.access = access
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if let port = context.localAddress?.port, access.admits(head.headers["Cookie"], port: port) {
            connections.admit(context.channel)
        }
        if !head.uri.hasPrefix("/"), head.headers["Host"] != [RequestHeadHandler.host(head.uri)] {
            head.headers.replaceOrAdd(name: "Host", value: "")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Returns the host and the port of a target, or an empty text if the target is no address of HTTP.
    private static func host(_ target: String) -> String {
        let scheme = "http://"
        guard target.prefix(scheme.count).lowercased() == scheme else { return "" }
        return String(target.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
    }
}

/// Limits the number of connections. If all are in use, the oldest one without the cookie is closed.
struct ConnectionLimit: AvailableConnectionsDelegate {
    let connections: Connections
    private var count = 0

    init(_ connections: Connections) { self.connections = connections }

    mutating func connectionOpened() {
        count += 1
        if !isAcceptingNewConnections() { connections.closeOldestStranger() }
    }

    mutating func connectionClosed() { count -= 1 }

    func isAcceptingNewConnections() -> Bool { count < Connections.maximumCount }
}
