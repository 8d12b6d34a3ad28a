// The modules whose declarations an embedding program names. It imports the kit alone. No other target may re-export.
@_exported public import DataStoreCore
@_exported public import DataStoreQueries
@_exported public import ForecastAPI
@_exported public import ProfileFormats
@_exported public import RecordCoding
@_exported public import UserProfileData
@_exported public import UserProfileDomain
