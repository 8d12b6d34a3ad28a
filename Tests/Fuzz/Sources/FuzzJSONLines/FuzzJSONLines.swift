import FoundationEssentials
import FuzzSupport
import ProfileProperties
@testable import ProfileFormats
@testable import UserProfileDomain

/// Reads arbitrary bytes as JSON Lines. The first byte chooses the chunks and whether unknown members are ignored.
/// libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSONLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe inputBytes(start, count)
    guard let first = bytes.first else { return -1 }
    let text = Array(bytes.dropFirst())
    let reading = ProfileProperties.check(
        text, chunkByteCount: Int(first / 2), .jsonLines, ignoresUnknown: first.isMultiple(of: 2))
    // Foundation reads one line: an object without zero bytes, from which it would infer another encoding.
    if !text.contains(UInt8(ascii: "\n")), !text.contains(0), text.first == UInt8(ascii: "{") {
        compare(text, reading)
    }
    return 0
}

/// A line as Foundation reads it.
private struct Line: Decodable {
    let id: String?
    let mailAddress: String?
    let birthday: String?
}

/// Compares the result for one line with Foundation's decoder.
private func compare(_ text: [UInt8], _ reading: ProfileProperties.Reading) {
    if let user = reading.users.first {
        do {
            let line = try JSONDecoder().decode(Line.self, from: Data(text))
            let isSame =
                line.id == user.id.text && line.mailAddress ?? "" == user.mailAddress?.text ?? ""
                && line.birthday ?? "" == user.birthday?.text ?? ""
            require(isSame, "Foundation reads other values: \(line), \(user)")
        } catch {
            fatalError("a line was read that Foundation rejects: \(error)")
        }
    } else if let error = reading.errors.first, error.underlying == nil, isObjectOfStrings(text) {
        // Foundation ignores unknown members, uses one of several members with the same name, and accepts a comma after
        // the last member.
        let rules = ["is unknown", "occurs twice", "the id is missing", "the name of a member is missing"]
        require(rules.contains { error.reason.contains($0) }, "a line that Foundation reads is rejected: \(error)")
    }
}

/// Returns whether Foundation reads a line, and would reject each invalid text in it. It does not validate the texts
/// that it ignores, like those of members with the same name, so the line has neither escapes nor invalid bytes.
private func isObjectOfStrings(_ text: [UInt8]) -> Bool {
    let isPlain = text.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") }
    guard isPlain, String(validating: text, as: UTF8.self) != nil else { return false }
    do {
        _ = try JSONDecoder().decode([String: String?].self, from: Data(text))
        return true
    } catch {
        return false
    }
}
