import Testing

@testable import Studio

@Suite struct FormTests {
    @Test("A form is decoded as browsers encode it, and encoded back")
    func decoding() {
        let form = Form(encoded: "where=birthday+%3C+1990-01-01&sort=&x=%E5%A4%A9%zz%4")
        #expect(form["where"] == "birthday < 1990-01-01")
        #expect(form["sort"] == nil && form["y"] == nil)
        #expect(form["x"] == "天%zz%4")
        #expect(Form(encoded: form.encoded) == form)
        #expect(form.address("/profiles").hasPrefix("/profiles?where=birthday%20%3C%201990-01-01&"))
    }
}
