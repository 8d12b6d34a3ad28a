// How the address and leak sanitizers behave in everything that is tested under them. Linked into each program rather than
// set in the environment, because tests start programs with an environment of their own.

// What is not ours to mend. Each line is a function that is on the stack where the memory was allocated.
const char *__lsan_default_suppressions(void) {
    return
        // The test runner keeps its suites until it exits, in a circle.
        "leak:libXCTest.so\n"
        // Foundation does not let go of the error that it reports for a property list it cannot read.
        "leak:_CFPropertyListCreateWithData\n"
        // Foundation loses its buffer where a file is empty.
        "leak:readBytesFromFile\n"
        // Foundation copies its list of bundles and does not let go of the copy.
        "leak:CFBundleGetAllBundles\n"
        // Leaving on wrong usage, ArgumentParser exits in the middle of a function and what that holds is lost.
        "leak:14ArgumentParser8InputKeyV8fullPath\n";
}

const char *__asan_default_options(void) {
    return
        // What is suppressed is not listed: tests compare what programs write to standard error.
        "print_suppressions=0"
        // Functions are found by name.
        ":external_symbolizer_path=" SYMBOLIZER;
}
