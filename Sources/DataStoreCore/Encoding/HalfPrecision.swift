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
        let magnitude = number.magnitude
        if magnitude == 0 { return sign }
        if magnitude == .infinity { return sign | 0x7C00 }
        guard magnitude <= 65_504, magnitude >= 0x1p-24 else { return nil }
        let exponent = Int(magnitude.exponent)
        // Below 2^-14, half-precision numbers are multiples of 2^-24. Above, 10 bits follow the leading one.
        let unit = exponent < -14 ? -24 : exponent - 10
        let multiple = magnitude / Double(sign: .plus, exponent: unit, significand: 1)
        guard multiple == multiple.rounded() else { return nil }
        let mantissa = UInt16(multiple)
        return exponent < -14 ? sign | mantissa : sign | UInt16(exponent + 15) << 10 | (mantissa & 0x3FF)
    }

    /// Returns the number that half-precision bits represent.
    static func number(of bits: UInt16) -> Double {
        let (exponent, mantissa) = (bits >> 10 & 0x1F, bits & 0x3FF)
        let magnitude: Double =
            switch exponent {
            case 0: Double(mantissa) * 0x1p-24
            case 31: mantissa == 0 ? .infinity : .nan
            // The exponent of a double has 1008 more, and its mantissa has 42 bits more.
            default: Double(bitPattern: (UInt64(bits & 0x7FFF) + (1008 << 10)) << 42)
            }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
    }
}
