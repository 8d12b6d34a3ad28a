import FuzzSupport
@testable import UserProfileDomain

/// Reads arbitrary text as a mail address, and compares the result with a second reader of the grammar. libFuzzer calls
/// this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzMail(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: unsafe inputBytes(start, count), as: UTF8.self)
    let address: MailAddress
    do {
        address = try MailAddress(text)
    } catch {
        require(!MailReference.matches(text), "a mail address is rejected: \(error)")
        require(error.subject == .mailAddress && !error.rule.isEmpty, "the error has no rule: \(error)")
        require(error.offset.map { 0...text.utf8.count ~= $0 } ?? text.isEmpty, "the error is nowhere: \(error)")
        return 0
    }
    require(MailReference.matches(text), "the grammar rejects \(text)")
    require(address.text.utf8.elementsEqual(text.utf8), "the address is not kept as entered")
    require("\(address.localPart)@\(address.domain)".utf8.elementsEqual(text.utf8), "the parts are other ones")
    checkEquality(address)
    return 0
}

/// Checks that an address equals itself with its domain in upper case, also as a value of queries.
private func checkEquality(_ address: MailAddress) {
    let domain = String(decoding: address.domain.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
    do {
        let other = try MailAddress("\(address.localPart)@\(domain)")
        require(other == address && other.hashValue == address.hashValue, "the case of the domain matters")
        require(other.operand == address.operand, "equal addresses are compared by queries as different ones")
    } catch {
        fatalError("the domain in upper case is rejected: \(error)")
    }
}
