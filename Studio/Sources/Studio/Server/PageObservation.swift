import Observation
import UserProfileKit

/// The observation of the models that a page shows. It ends when it is released.
///
/// `Observations` would do the same, but needs macOS 26.
@MainActor final class PageObservation {
    private let read: @MainActor () -> Bool
    private let changed: @Sendable () -> Void

    /// Starts to observe.
    ///
    /// - Parameters:
    ///   - read: Reads the properties to observe, and returns whether the page can be shown.
    ///   - changed: Called at the start and after each change of a property, if the page can be shown.
    init(_ read: @escaping @MainActor () -> Bool, changed: @escaping @Sendable () -> Void) {
        (self.read, self.changed) = (read, changed)
        follow()
    }

    private func follow() {
        let isReady = withObservationTracking(read) { [weak self] in
            // The property has its new value when the main actor runs the task.
            Task { @MainActor in self?.follow() }
        }
        if isReady { changed() }
    }
}

extension LiveValue {
    /// Whether the model has read its value, or failed to. A page that shows the model observes this property.
    var isReady: Bool {
        _ = value
        if case .loading = phase { return false }
        return true
    }
}
