// The modules whose declarations a program that embeds the kit names, so that it imports the kit alone. No other target may
// re-export a module.
@_exported public import DataStoreCore
@_exported public import DataStoreQueries
@_exported public import ForecastAPI
@_exported public import ProfileFormats
@_exported public import RecordCoding
@_exported public import UserProfileData
@_exported public import UserProfileDomain
