/// A conversion between double and half precision (IEEE 754 binary16). `Float16` is not available on every Mac.
enum HalfPrecision {
    static let nan: UInt16 = 0x7E00

    /// Returns the half-precision bits of a number, or `nil` if half precision cannot represent it exactly. Every NaN
    /// becomes ``nan``.
    static func bits(of number: Double) -> UInt16? {
        if number.isNaN { return nan }
        // A number in half precision has at most ten bits after the leading one.
        if number.bitPattern << 22 != 0 { return nil }
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isInfinite { return sign | 0x7C00 }
        guard number.magnitude <= 65_504 else { return nil }
        // The exponent of a double has 1008 more, and its mantissa has 42 bits more.
        let bits = sign | UInt16(truncatingIfNeeded: (number.magnitude * 0x1p-1008).bitPattern >> 42)
        return self.number(of: bits) == number ? bits : nil
    }

    /// Returns the number that half-precision bits represent.
    static func number(of bits: UInt16) -> Double {
        var magnitude = Double(bitPattern: UInt64(bits & 0x7FFF) << 42) * 0x1p1008
        if bits & 0x7C00 == 0x7C00 { magnitude = bits & 0x3FF == 0 ? .infinity : .nan }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }
}
