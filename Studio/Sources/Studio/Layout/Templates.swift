import Mustache

/// The templates of all pages.
///
/// Every value is escaped. A template with an unescaped value is rejected when the studio starts.
struct Templates: Sendable {
    private let library: MustacheLibrary

    /// Parses the templates.
    ///
    /// - Parameter sources: The templates by name.
    /// - Throws: ``UnescapedValue``, or an error of the parser.
    init(_ sources: [String: [UInt8]] = Templates.sources) throws {
        MustacheContentTypes.register(InertText(), named: InertText.name)
        var library = MustacheLibrary()
        for (name, bytes) in sources {
            let source = String(decoding: bytes, as: UTF8.self)
            guard !source.contains("{{{"), !source.contains("{{&"), !source.contains("{{=") else {
                throw UnescapedValue(template: name)
            }
            // Each partial starts with the escaping of Mustache, so each template selects its own.
            try library.register("{{% CONTENT_TYPE: \(InertText.name)}}\n\(source)", named: name)
        }
        self.library = library
    }

    /// Returns the HTML of a page.
    func render(_ page: some Page) -> String { library.render(page, withTemplate: type(of: page).template) ?? "" }

    private static let sources: [String: [UInt8]] = [
        "Layout": PackageResources.Layout_mustache, "Message": PackageResources.Message_mustache,
        "Profiles": PackageResources.Profiles_mustache, "Profile": PackageResources.Profile_mustache,
        "Birthdays": PackageResources.Birthdays_mustache, "Store": PackageResources.Store_mustache,
        "Record": PackageResources.Record_mustache, "Records": PackageResources.Records_mustache,
        "Weather": PackageResources.Weather_mustache,
    ]
}

/// A template has a value that is not escaped.
struct UnescapedValue: Error {
    let template: String
}

/// The values of a template. Templates see only stored properties.
protocol Page: Sendable {
    /// The name of the template.
    static var template: String { get }
}
