extension Int {
    /// The number of bytes as text, such as `1.5 MiB`.
    var byteCountText: String {
        var (size, unit) = (Double(self), "bytes")
        for larger in ["KiB", "MiB", "GiB", "TiB"] where size >= 1024 {
            size /= 1024
            unit = larger
        }
        if unit == "bytes" { return Int64(self).counted("byte") }
        return "\((size * 10).rounded() / 10) \(unit)"
    }
}
