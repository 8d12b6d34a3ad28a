/// The length of the examination.
struct Scale {
    var seed: UInt64
    var isShort: Bool

    /// The factor of the number of steps.
    var factor: Int { isShort ? 2 : 4 }

    /// The number of times that each scenario runs, each with another seed.
    var roundCount: Int { isShort ? 1 : 3 }

    /// The number of random subsets of the operations at each moment.
    var subsetCount: Int { 64 }

    /// The number of random subsets of the operations of an opening.
    var secondSubsetCount: Int { 8 }

    /// The sampling of openings that write only to the lock file: another loss is examined in one of this many
    /// openings.
    var lockFileSampling: Int { isShort ? 64 : 16 }
}
