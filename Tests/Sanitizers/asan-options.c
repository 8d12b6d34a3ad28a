// The options of the address and leak sanitizers for everything that is tested with them. They are linked into each
// program, because tests start programs with their own environment variables.

const char *__asan_default_options(void) { return "external_symbolizer_path=" SYMBOLIZER; }

// The list of used suppressions is not printed, because tests compare the standard error of programs.
const char *__lsan_default_options(void) { return "suppressions=" SUPPRESSIONS ":print_suppressions=0"; }
