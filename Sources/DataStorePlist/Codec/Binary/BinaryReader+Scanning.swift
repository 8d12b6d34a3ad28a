extension BinaryReader {
    /// Returns a reader that finds the objects of a file whose trailer is damaged or missing. It assumes that the
    /// objects are contiguous and that the root is the first one.
    ///
    /// The size of a reference is also unknown. The scan uses the size with which most of the file is readable.
    ///
    /// - Returns: The reader, or `nil` if the first object is not a dictionary.
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
