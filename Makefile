# `make help` lists the targets.

PREFIX ?= /usr/local
SWIFT_BUILD ?= swift build
# Both programs are linked with the static Swift libraries, and the larger one with the system's libcurl.
ONLINE = $(SWIFT_BUILD) -c release --product profile-cli-online --static-swift-stdlib
RELEASE = $(SWIFT_BUILD) -c release --product profile-cli --static-swift-stdlib
ifeq ($(shell uname),Linux)
# Without shared libraries and relocations a process starts in half the time. The linker warns that user names may be
# looked up through shared libraries; they are needed only if HOME is not set. The object files differ from the ones of
# the larger program, so they have their own directory.
RELEASE += --scratch-path .build/static -Xswiftc -static-executable
# Saves 0.6 MB: functions with equal code are linked once, and the index of unwind tables is left out. Nothing in the program
# throws C++ exceptions, and backtraces follow the frame pointers.
RELEASE += -Xlinker --icf=safe -Xlinker --no-eh-frame-hdr
# Saves 0.15 MB: functions begin at multiples of 4 bytes instead of 16.
RELEASE += -Xswiftc -Xllvm -Xswiftc -align-all-functions=2
# The compiler passes the conformances of a generic type's arguments to the runtime. By default, the runtime finds them
# by searching all conformances of the program, which takes a quarter of the instructions of a short command.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
endif

# Hundreds of concurrent tests would wait for each other and need more than twice the processor time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install missing build dependencies (liblmdb-dev, libpq-dev).
	@Scripts/setup

.PHONY: run
run: setup ## Build, then save and read back a profile and a forecast in an LMDB store.
	$(SWIFT_BUILD) --product profile-cli
	@Scripts/main-job "$$($(SWIFT_BUILD) --show-bin-path)/profile-cli"

.PHONY: test
test: ## Build and run all tests that need no PostgreSQL server; missing reference programs (python3, plistutil) are installed.
	@Scripts/setup python3 plistutil
	swift build --build-tests
	Scripts/with-temporary-directory swift test --skip-build

.PHONY: test-tsan
test-tsan: setup ## Run all tests, or the tests that match FILTER, under the thread sanitizer.
	swift build --build-tests --sanitize=thread --scratch-path .build-tsan
	clang -shared -fPIC -O1 Scripts/tsan-mutex.c -o .build-tsan/tsan-mutex.so -ldl
	TSAN_OPTIONS=halt_on_error=1 LD_PRELOAD="$(CURDIR)/.build-tsan/tsan-mutex.so" \
		Scripts/with-temporary-directory swift test --skip-build --sanitize=thread --scratch-path .build-tsan $(if $(FILTER),--filter '$(FILTER)')

.PHONY: test-asan
test-asan: setup ## Run all tests, or the tests that match FILTER, under the address sanitizer, which also detects leaks.
	mkdir -p .build-asan
	clang -c Scripts/asan-options.c -o .build-asan/asan-options.o \
		-DSYMBOLIZER='"$(shell clang -print-prog-name=llvm-symbolizer)"' \
		-DSUPPRESSIONS='"$(CURDIR)/Scripts/lsan-suppressions.txt"'
	swift build --build-tests --sanitize=address --scratch-path .build-asan \
		-Xlinker "$(CURDIR)/.build-asan/asan-options.o"
	SWIFT_BACKTRACE=enable=no Scripts/with-temporary-directory swift test --skip-build --no-parallel --sanitize=address \
		--scratch-path .build-asan $(if $(FILTER),--filter '$(FILTER)')

.PHONY: test-leaks
test-leaks: ## Open, use and close an LMDB store under valgrind, which is installed if it is missing.
	@Scripts/setup valgrind
	swift build --product store-torture
	Scripts/test-leaks "$$(swift build --show-bin-path)/store-torture"

# The suites with a full-length mode. Each file has the name of its suite.
FULL = $(shell grep -rl 'TestScale\.' Tests --include='*Tests.swift' | sed 's,.*/,,; s,\.swift,,' | sort | paste -sd'|')

.PHONY: torture
torture: setup ## Test kills, damage and random writes at full length; kill a saving program N times (default: 1000).
	@Scripts/setup python3 plistutil
	swift build --build-tests
	USERPROFILE_FULL_TESTS=1 STORE_TORTURE_KILLS=$(or $(N),1000) \
		Scripts/with-temporary-directory swift test --skip-build --filter '$(FULL)'

.PHONY: test-postgres
test-postgres: setup ## Test the PostgreSQL store on a temporary server, also while servers and networks fail.
	@Scripts/setup postgresql python3 ip
	swift build --build-tests
	Scripts/with-postgres Scripts/with-temporary-directory swift test --skip-build --filter '^DataStorePostgresTests\.'
	Scripts/postgres-faults "$$(swift build --show-bin-path)/store-torture"

.PHONY: torture-postgres
torture-postgres: setup ## The same at full length (SCENARIOS="failover network": some kinds of faults).
	@Scripts/setup postgresql python3 ip
	swift build --build-tests
	USERPROFILE_FULL_TESTS=1 Scripts/with-postgres Scripts/with-temporary-directory \
		swift test --skip-build --filter '^DataStorePostgresTests\.'
	Scripts/postgres-faults --full "$$(swift build --show-bin-path)/store-torture" $(SCENARIOS)

.PHONY: fuzz
fuzz: setup ## Fuzz each parser of the package with RUNS inputs (default: 1000000).
	Scripts/fuzz $(or $(RUNS),1000000)

.PHONY: power-loss
power-loss: setup ## Test the states that losses of power may leave of stores (SHORT=1: fewer states).
	Scripts/power-loss $(if $(SHORT),--short) $(ARGS)

.PHONY: lint
lint: ## Check the format, line lengths, imports, the number of public names, and the use of Foundation.
	@Scripts/setup python3
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Examples Studio
	Scripts/check-line-length
	$(SWIFT_BUILD) --explicit-target-dependency-import-check error
	Scripts/check-imports
	Scripts/check-foundation
	Scripts/count-public 706

.PHONY: format
format: ## Format the sources in place.
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Examples Studio

.PHONY: docs
docs: setup ## Build the documentation of every product into .build-docs/archives; warnings are errors.
	Scripts/docs

.PHONY: verify-docs
verify-docs: ## Run the commands, and compile and run the code, of README and guides in a fresh clone.
	@Scripts/setup python3
	Scripts/verify-docs

.PHONY: footprint
footprint: setup ## Show the costs of the package: linked and fetched packages, build time, size, startup time.
	@Scripts/setup hyperfine
	Scripts/check-products
	Scripts/footprint

.PHONY: api-check
api-check: ## List changes that break programs since the newest release, or since the baseline.
	Scripts/api-check

BENCH = swift run --package-path Benchmarks -c release bench
# `make bench-postgres APART=Scripts/with-postgres` lets the operating system choose the processors of the server.
APART = Scripts/with-postgres --apart
# The program as it is installed.
STRIPPED = $(RELEASE) && strip -o .build/profile-cli "$$($(RELEASE) --show-bin-path)/profile-cli"

.PHONY: bench
bench: ## Compare the stores with their alternatives (ARGS="read scan --tsv").
	@Scripts/setup sqlite sqlite3
	$(STRIPPED)
	$(BENCH) --cli .build/profile-cli $(ARGS)

.PHONY: bench-postgres
bench-postgres: ## Compare the PostgreSQL store with direct calls of libpq on a temporary server, and with LMDB.
	@Scripts/setup postgresql python3 sqlite
	swift build --package-path Benchmarks -c release --product bench
	@$(APART) $(BENCH) postgres postgres-clients $(ARGS)

.PHONY: bench-large
bench-large: ## Measure reads and memory with up to 10,000,000 profiles.
	@Scripts/setup sqlite
	$(BENCH) growth memory --profiles 10000000 $(ARGS)

.PHONY: bench-check
bench-check: ## Fail if a ratio is more than 25 % worse than recorded, or a hot path takes more instructions.
	@Scripts/setup sqlite valgrind python3
	Scripts/bench-check $(ARGS)

.PHONY: bench-docs
# The plots include the results of `make bench-large ARGS=--tsv >.build/bench-large.tsv` if that file exists.
bench-docs: ## Run all benchmarks, and write the table and the plots of Benchmarks/README.md.
	@Scripts/setup sqlite sqlite3 python3 postgresql
	$(STRIPPED)
	$(BENCH) --cli .build/profile-cli --tsv | tee .build/bench.tsv
	$(APART) $(BENCH) postgres postgres-clients --tsv | tee -a .build/bench.tsv
	python3 -m venv .build/plots && .build/plots/bin/pip install -q -r Benchmarks/requirements.txt
	.build/plots/bin/python Scripts/bench-plots .build/bench.tsv $(wildcard .build/bench-large.tsv) Benchmarks/Plots
	Scripts/bench-table .build/bench.tsv Benchmarks/README.md

.PHONY: compare-defaults
compare-defaults: setup ## Compare the property-list store with UserDefaults, and print the table of the documentation.
	swift run defaults-comparison

# The examples share one build directory, so that common dependencies are built once.
EXAMPLE = --scratch-path .build/examples --package-path Examples

.PHONY: examples
examples: setup ## Build, test and run the examples: ten lines, a command-line tool, a web service and its client.
	swift run $(EXAMPLE)/TenLines TenLines
	swift build $(EXAMPLE)/Notes
	Scripts/try-notes "$$(swift build $(EXAMPLE)/Notes --show-bin-path)/notes"
	swift build $(EXAMPLE)/ProfileService --build-tests
	swift test $(EXAMPLE)/ProfileService --skip-build
	Scripts/try-service "$$(swift build $(EXAMPLE)/ProfileService --show-bin-path)/ProfileService"
	swift build $(EXAMPLE)/RemoteRepository --build-tests
	swift test $(EXAMPLE)/RemoteRepository --skip-build

# The studio shares the dependencies of the examples.
STUDIO = --scratch-path .build/examples --package-path Studio
BROWSER = Scripts/with-browser "$$(swift build $(STUDIO) --show-bin-path)/profile-studio" \
	"$$($(SWIFT_BUILD) --show-bin-path)/profile-cli-online"

.PHONY: studio
studio: setup ## Open the studio on a demo store, with changes allowed, or on STORE (lmdb:PATH or plist:PATH).
	$(SWIFT_BUILD) --product profile-cli
	Scripts/demo-store "$$($(SWIFT_BUILD) --show-bin-path)/profile-cli" .build/demo/store
	swift build $(STUDIO) --product profile-studio
	"$$(swift build $(STUDIO) --show-bin-path)/profile-studio" \
		--store '$(or $(STORE),lmdb:.build/demo/store)' $(if $(STORE),,--write) $(ARGS)

.PHONY: test-studio
test-studio: ## Test the studio, also in headless Chromium, which is installed if it is missing.
	@Scripts/setup python3 chromium chromedriver postgresql
	swift build $(STUDIO) --build-tests
	swift test $(STUDIO) --skip-build
	$(SWIFT_BUILD) --product profile-cli-online
	Scripts/with-postgres $(BROWSER) pytest -q -p no:cacheprovider Studio/Tests/Browser

.PHONY: bench-studio
bench-studio: setup ## Compare a page of the studio with its query and rendering, with PROFILES profiles (default: 1000000).
	swift run -c release $(STUDIO) bench-studio --profiles $(or $(PROFILES),1000000) $(ARGS)

.PHONY: screenshots
screenshots: ## Take the pictures of the studio for the guide.
	@Scripts/setup python3 chromium chromedriver
	swift build $(STUDIO) --product profile-studio
	$(SWIFT_BUILD) --product profile-cli-online
	mkdir -p Sources/UserProfileKit/UserProfileKit.docc/Resources
	$(BROWSER) python Studio/Tests/Browser/screenshots.py Sources/UserProfileKit/UserProfileKit.docc/Resources

.PHONY: install
install: ## Install profile-cli to PREFIX/bin, with completions for bash, zsh and fish, and a manual page.
	@Scripts/setup python3
	$(RELEASE)
	$(ONLINE)
	Scripts/install "$$($(RELEASE) --show-bin-path)/profile-cli" "$$($(ONLINE) --show-bin-path)/profile-cli-online" \
		"$(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall: ## Remove the installed files.
	Scripts/install --uninstall "$(DESTDIR)$(PREFIX)"

.PHONY: clean
clean: ## Remove all build products.
	rm -rf .build .build-tsan .build-asan .build-fuzz .build-power-loss .build-docs Benchmarks/.build Examples/*/.build Studio/.build
