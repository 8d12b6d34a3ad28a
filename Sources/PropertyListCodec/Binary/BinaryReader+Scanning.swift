extension BinaryReader {
    /// Finds objects without the trailer, which is damaged or was cut off: the objects follow one another, the root
    /// first.
    ///
    /// The number of bytes of a reference is unknown too. The one with which most can be read is right.
    ///
    /// - Returns: `nil` if the first object is not a dictionary.
    static func scanning(_ bytes: [UInt8]) -> BinaryReader? {
        let candidates = [1, 2, 4, 8].compactMap { referenceByteCount -> (reader: BinaryReader, isPlausible: Bool)? in
            let reader = scanning(bytes, referenceByteCount: referenceByteCount)
            guard let root = reader.objectIfValid(at: signature.count), root.kind == .dictionary else { return nil }
            return (reader, reader.references(of: root).allSatisfy(reader.offsets.indices.contains))
        }
        let plausible = candidates.filter(\.isPlausible)
        return (plausible.isEmpty ? candidates : plausible).max { $0.reader.end < $1.reader.end }?.reader
    }

    private static func scanning(_ bytes: [UInt8], referenceByteCount: Int) -> BinaryReader {
        let all = BinaryReader(bytes, objectsAt: [], end: bytes.count, referenceByteCount: referenceByteCount)
        var offsets: [Int] = []
        var end = signature.count
        while let object = all.objectIfValid(at: end) {
            offsets.append(end)
            end = object.body.upperBound
        }
        return BinaryReader(bytes, objectsAt: offsets, end: end, referenceByteCount: referenceByteCount)
    }

    private func objectIfValid(at start: Int) -> BinaryObject? {
        do { return try object(at: start) } catch { return nil }
    }
}
