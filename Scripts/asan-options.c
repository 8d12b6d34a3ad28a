// How the address and leak sanitizers behave in everything that is tested under them. Linked into each program rather than
// set in the environment, because tests start programs with an environment of their own.

const char *__asan_default_options(void) { return "external_symbolizer_path=" SYMBOLIZER; }

// What is suppressed is not listed: tests compare what programs write to standard error.
const char *__lsan_default_options(void) { return "suppressions=" SUPPRESSIONS ":print_suppressions=0"; }
