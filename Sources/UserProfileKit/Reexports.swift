// Programs use declarations of these modules and of the modules that these re-export. So they import only
// `UserProfileKit`.
@_exported public import ForecastAPI
@_exported public import ProfileFormats
@_exported public import RecordCoding
