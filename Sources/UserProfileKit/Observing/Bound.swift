public import Observation

/// A model of a field that edits one property of a stored entity. What the user types is saved at once, and a change by
/// another program appears in the field.
///
/// ```swift
/// let mail = Bound(.me, in: storage.users) { $0?.mailAddress?.text ?? "" } save: { text in
///     try await storage.profiles.saveMailAddress(text.isEmpty ? nil : MailAddress(text))
/// }
/// TextField("Mail address", text: $mail.value)
/// if let error = mail.error { Text("\(error)") }
/// ```
///
/// - If `save` throws, e.g. a `ValidationError`, the input stays in the field and ``error`` has the reason.
/// - While the user edits, a change by another program waits: as long as the input is not saved, or ``isEditing`` is
///   `true`.
/// - Saves run in order, one at a time. Of several inputs during a save, only the last one is saved. If the model is
///   released, it still saves the last input.
@Observable @MainActor
public final class Bound<Value: Equatable & Sendable> {
    /// The content of the field. Setting it saves it.
    public var value: Value {
        get { shown }
        set {
            shown = newValue
            unsaved = newValue
            startSaving()
        }
    }

    /// The error with which the last save was rejected, or `nil`. Setting ``value`` saves again.
    public private(set) var error: (any Error)?

    /// Whether the model has read the stored value.
    public private(set) var phase = LivePhase.loading

    /// Whether the field has the focus. When editing ends, the field shows the stored value, unless the input was
    /// rejected.
    public var isEditing = false { didSet { showStored() } }

    private var shown: Value
    /// The input that is not stored yet.
    @ObservationIgnored private var unsaved: Value?
    @ObservationIgnored private var stored: Value
    @ObservationIgnored private var isSaving = false
    @ObservationIgnored private let updates: Updates<Value>
    @ObservationIgnored private let save: @concurrent @Sendable (Value) async throws -> Void
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Creates a model of a stored value, e.g. of a setting.
    ///
    /// - Parameters:
    ///   - initial: The content of the field until the first read.
    ///   - updates: The sequence of stored values.
    ///   - save: A closure that saves the input, or throws an error to reject it. It runs on the global executor.
    public init(
        _ initial: Value, _ updates: Updates<Value>,
        save: @escaping @concurrent @Sendable (Value) async throws -> Void
    ) {
        (shown, stored) = (initial, initial)
        self.updates = updates
        self.save = save
        follow()
    }

    /// Creates a model of a property of an entity.
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - repository: The repository of the entity.
    ///   - property: A closure that returns the content of the field for the entity, or for `nil` if it does not exist.
    ///   - save: A closure that saves the input, or throws an error to reject it. It runs on the global executor.
    public convenience init<Entity: Identifiable & Sendable>(
        _ id: Entity.ID, in repository: any Repository<Entity>, _ property: @escaping @Sendable (Entity?) -> Value,
        save: @escaping @concurrent @Sendable (Value) async throws -> Void
    ) where Entity.ID: Sendable {
        self.init(property(nil), repository.updates(of: id).mapped(property), save: save)
    }

    deinit { task?.cancel() }

    /// Discards a rejected input, so that the field shows the stored value.
    public func revert() {
        unsaved = nil
        error = nil
        showStored()
    }

    private func follow() {
        task?.cancel()
        task = updates.follow { [weak self] in self?.receive($0) }
    }

    private func receive(_ result: Result<Value, RepositoryError>) {
        phase = LivePhase(result)
        guard case .success(let value) = result else { return }
        stored = value
        showStored()
    }

    private func showStored() {
        if unsaved == nil, !isSaving, !isEditing, shown != stored { shown = stored }
    }

    /// Saves the newest input until all inputs are saved or rejected.
    private func startSaving() {
        guard !isSaving else { return }
        isSaving = true
        Task {
            while let input = unsaved {
                do {
                    try await save(input)
                    error = nil
                    stored = input
                    if unsaved == input { unsaved = nil }
                } catch {
                    guard unsaved == input else { continue }
                    self.error = error
                    break
                }
            }
            isSaving = false
            // A value that was read before the save may still arrive. A new observation starts with the current one.
            follow()
        }
    }
}
