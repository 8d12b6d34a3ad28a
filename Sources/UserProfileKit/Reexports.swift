// Programs use declarations of these modules. The re-exports let them import only `UserProfileKit`, and the files of
// this target import none of these modules again. No other target may re-export modules.
@_exported public import DataStoreCore
@_exported public import DataStoreQueries
@_exported public import ForecastAPI
@_exported public import ProfileFormats
@_exported public import RecordCoding
@_exported public import UserProfileData
@_exported public import UserProfileDomain
