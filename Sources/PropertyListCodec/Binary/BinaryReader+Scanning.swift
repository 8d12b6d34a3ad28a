extension BinaryReader {
    /// Finds objects where the trailer is damaged or was cut off: they stand one after the other, the root first. How many
    /// bytes a reference has is tried: what reads furthest is right.
    ///
    /// - Returns: nil where the first object is no dictionary.
    static func scanning(_ bytes: [UInt8]) -> BinaryReader? {
        let found = [1, 2, 4, 8].map { scanning(bytes, referenceByteCount: $0) }
        return found.filter { $0.isDictionary(0) && !$0.refersBeyond(0) }.max { $0.end < $1.end }
            ?? found.filter { $0.isDictionary(0) }.max { $0.end < $1.end }
    }

    private static func scanning(_ bytes: [UInt8], referenceByteCount: Int) -> BinaryReader {
        let all = BinaryReader(
            bytes, objectsAt: [], end: bytes.count, referenceByteCount: referenceByteCount)
        var offsets: [Int] = []
        var place = signature.count
        while place < bytes.count {
            guard case .success(let object) = Result(catching: { () throws(ParseFailure) in try all.object(at: place) })
            else { break }
            offsets.append(place)
            place = object.body.upperBound
        }
        return BinaryReader(bytes, objectsAt: offsets, end: place, referenceByteCount: referenceByteCount)
    }

    private func isDictionary(_ number: Int) -> Bool {
        if case .success(let object) = Result(catching: { () throws(ParseFailure) in try object(number) }) {
            object.kind == .dictionary
        } else {
            false
        }
    }

    private func refersBeyond(_ number: Int) -> Bool {
        if case .success(let object) = Result(catching: { () throws(ParseFailure) in try object(number) }) {
            references(of: object).contains { !offsets.indices.contains($0) }
        } else {
            true
        }
    }
}
