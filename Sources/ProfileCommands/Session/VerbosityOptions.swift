import ArgumentParser

/// The option `--verbose`, which every command has.
struct VerbosityOptions: ParsableArguments {
    @Flag(help: "Report each step, and the causes of a failure.")
    var verbose = false
}
