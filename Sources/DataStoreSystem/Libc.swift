// What the declarations of this target use: the port.
@_exported public import DataStoreCore

// The C library has a module of another name on each platform. All targets that need it import this module.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
