# `make help` lists the targets.

PREFIX ?= /usr/local
# The tests and the command-line programs have sealed fields; programs that embed the package choose.
TRAITS = --traits Sealing
SWIFT_BUILD ?= swift build $(TRAITS)
SWIFT_TEST = swift test $(TRAITS) --skip-build
WITH_POSTGRES = Tests/PostgresFaults/with-postgres
# The installed programs contain the Swift libraries. With USERPROFILE_STATIC, profile-cli also contains the C libraries: without
# shared libraries and relocations a process starts in half the time. The linker warns that user names may be looked up through
# shared libraries; they are needed only if HOME is not set.
RELEASE = USERPROFILE_STATIC=1 $(SWIFT_BUILD) -c release --static-swift-stdlib
# The compiler passes the conformances of a generic type's arguments to the runtime. By default, the runtime finds them
# by searching all conformances of the program, which takes a quarter of the instructions of a short command.
RELEASE += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors

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
test: ## Build and run the tests that need no PostgreSQL server; missing reference programs (python3, plistutil) are installed.
	@Scripts/setup python3 plistutil
	$(SWIFT_BUILD) --build-tests
	Scripts/with-temporary-directory $(SWIFT_TEST)

.PHONY: check
check: ## Lint the changed Swift files, or FILES, and run the tests of their targets; takes less than three minutes.
	Scripts/check $(FILES)

.PHONY: verify
verify: ## Run everything that CI leaves out: kills, faults, products, web, leaks, threads, power loss, fuzzing, benchmarks.
	@Scripts/verify

.PHONY: test-tsan
test-tsan: setup ## Run the tests of concurrent code, or the tests that match FILTER, under the thread sanitizer.
	Tests/Sanitizers/threads $(if $(FILTER),'$(FILTER)')

.PHONY: test-asan
test-asan: setup ## Run all tests, or the tests that match FILTER, under the address sanitizer, which also detects leaks.
	Tests/Sanitizers/addresses $(if $(FILTER),'$(FILTER)')

.PHONY: test-leaks
test-leaks: ## Open, use and close an LMDB store under valgrind, which is installed if it is missing.
	@Scripts/setup valgrind
	$(SWIFT_BUILD) --product store-torture
	Tests/Sanitizers/leaks "$$($(SWIFT_BUILD) --show-bin-path)/store-torture"

.PHONY: test-telemetry
test-telemetry: setup ## Test metrics and spans, in a build without sealed fields.
	swift build --traits Telemetry --scratch-path .build/telemetry --build-tests
	swift test --traits Telemetry --scratch-path .build/telemetry --skip-build --filter TelemetryTests

# The suites with a full-length mode. Each file has the name of its suite.
FULL_SUITES = $(shell grep -rlE 'TestScale\.|Conformance\.' Tests --include='*Tests.swift' | sed 's,.*/,,; s,\.swift,,' | sort | paste -sd'|')

.PHONY: torture
torture: setup ## Test kills, damage and random writes at full length; kill a saving program N times (default: 1000).
	@Scripts/setup python3 plistutil
	$(SWIFT_BUILD) --build-tests
	USERPROFILE_FULL_TESTS=1 STORE_TORTURE_KILLS=$(or $(N),1000) \
		Scripts/with-temporary-directory $(SWIFT_TEST) --filter '$(FULL_SUITES)'

# The suites that also run on the server, because they test a storage on every kind of store.
STORAGE_SUITES = $(shell grep -rlE '(Self|UserProfileStorageTests)\.locations' Tests/UserProfileKitTests | sed 's,.*/,,; s,\.swift,,' | sort | paste -sd'|')

.PHONY: test-postgres
test-postgres: setup ## Test the PostgreSQL store on a temporary server.
	@Scripts/setup postgresql pgbouncer german
	$(SWIFT_BUILD) --build-tests
	$(WITH_POSTGRES) Scripts/with-temporary-directory $(SWIFT_TEST) --filter '^DataStorePostgresTests\.|$(STORAGE_SUITES)'

.PHONY: postgres-faults
postgres-faults: setup ## Test the PostgreSQL store while programs, servers and networks fail (FULL=1: longer; SCENARIOS="failover").
	@Scripts/setup postgresql python3 ip
	$(SWIFT_BUILD) --product store-torture
	Tests/PostgresFaults/postgres-faults $(if $(FULL),--full) "$$($(SWIFT_BUILD) --show-bin-path)/store-torture" $(SCENARIOS)

.PHONY: torture-postgres
torture-postgres: ## Both at full length.
	USERPROFILE_FULL_TESTS=1 $(MAKE) test-postgres
	$(MAKE) postgres-faults FULL=1

.PHONY: fuzz
fuzz: setup ## Fuzz each parser of the package with RUNS inputs (default: 1000000).
	Tests/Fuzz/fuzz $(or $(RUNS),1000000)

.PHONY: power-loss
power-loss: setup ## Test the states that losses of power may leave of stores (SHORT=1: fewer states).
	Tests/PowerLoss/power-loss $(if $(SHORT),--short) $(ARGS)

.PHONY: lint
lint: ## Check the format, line lengths, imports, the number of public names, the use of Foundation, and the figures of the guides.
	@Scripts/setup python3
	Scripts/figures
	Scripts/lint

.PHONY: format
format: ## Format the sources in place.
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Examples Studio

.PHONY: docs
docs: setup ## Build the documentation of every product into .build/plugins/Swift-DocC/outputs; warnings are errors.
	Scripts/docs

.PHONY: verify-docs
verify-docs: ## Run the commands, and compile and run the code, of README and guides in a fresh clone.
	@Scripts/setup python3
	Scripts/verify-docs

.PHONY: footprint
footprint: setup ## Show the costs of the package: linked and fetched packages, build time, size, startup time.
	@Scripts/setup hyperfine
	Scripts/check-products
	Benchmarks/Scripts/footprint

.PHONY: api-check
api-check: ## List changes that break programs since the newest release, or since the baseline.
	Scripts/api-check

BENCH = swift run --package-path Benchmarks -c release bench
# `make bench-postgres APART=Tests/PostgresFaults/with-postgres` lets the operating system choose the processors of the server.
APART = $(WITH_POSTGRES) --apart
# The program as it is installed.
STRIPPED = $(RELEASE) --product profile-cli && strip -o .build/profile-cli "$$($(RELEASE) --show-bin-path)/profile-cli"

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
	Benchmarks/Scripts/check $(ARGS)

.PHONY: bench-docs
# The plots include the results of `make bench-large ARGS=--tsv >.build/bench-large.tsv` if that file exists.
bench-docs: ## Run all benchmarks; write Benchmarks/results.tsv, and the tables, plots and figures of all documents from it.
	@Scripts/setup sqlite sqlite3 python3 postgresql
	$(STRIPPED)
	printf 'workload\tunit\tours\tpeer\ttheirs\tratio\n' >Benchmarks/results.tsv
	$(BENCH) --cli .build/profile-cli --tsv | tee -a Benchmarks/results.tsv
	$(APART) $(BENCH) postgres postgres-clients --tsv | tee -a Benchmarks/results.tsv
	python3 -m venv .build/plots && .build/plots/bin/pip install -q -r Benchmarks/requirements.txt
	.build/plots/bin/python Benchmarks/Scripts/plots Benchmarks/results.tsv $(wildcard .build/bench-large.tsv) Benchmarks/Plots
	Benchmarks/Scripts/table Benchmarks/results.tsv Benchmarks/README.md
	Scripts/figures --write

.PHONY: compare-defaults
compare-defaults: setup ## Compare the property-list store with UserDefaults, and print the table of the documentation.
	swift run $(TRAITS) defaults-comparison

# The examples share one build directory, so that common dependencies are built once. CI shares it with the package, too; then
# the next build of the package's tests takes longer.
EXAMPLES_BUILD ?= .build/examples
EXAMPLE = --scratch-path $(EXAMPLES_BUILD) --package-path Examples

.PHONY: examples
examples: setup ## Build, test and run the examples without other dependencies: ten lines, a clinic, a command-line tool.
	swift run $(EXAMPLE)/TenLines TenLines
	swift build $(EXAMPLE)/Clinic --build-tests
	swift test $(EXAMPLE)/Clinic --skip-build
	swift build $(EXAMPLE)/Notes
	Examples/Notes/try "$$(swift build $(EXAMPLE)/Notes --show-bin-path)/notes"

.PHONY: web-examples
web-examples: setup ## Build, test and run the examples with a web framework: web services and a client.
	swift build $(EXAMPLE)/ProfileService --build-tests
	swift test $(EXAMPLE)/ProfileService --skip-build
	Examples/ProfileService/try "$$(swift build $(EXAMPLE)/ProfileService --show-bin-path)/ProfileService"
	swift build $(EXAMPLE)/Sessions --build-tests
	swift test $(EXAMPLE)/Sessions --skip-build
	swift build $(EXAMPLE)/RemoteRepository --build-tests
	swift test $(EXAMPLE)/RemoteRepository --skip-build

# The studio shares the dependencies of the examples.
STUDIO = --scratch-path $(EXAMPLES_BUILD) --package-path Studio
BROWSER = Studio/Tests/Browser/with-browser "$$(swift build $(STUDIO) --show-bin-path)/profile-studio" \
	"$$($(SWIFT_BUILD) --show-bin-path)/profile-cli-online"

.PHONY: studio
studio: setup ## Open the studio on a demo store, with changes allowed, or on STORE (lmdb:PATH or plist:PATH).
	$(SWIFT_BUILD) --product profile-cli
	Studio/demo-store "$$($(SWIFT_BUILD) --show-bin-path)/profile-cli" .build/demo/store
	swift build $(STUDIO) --product profile-studio
	"$$(swift build $(STUDIO) --show-bin-path)/profile-studio" \
		--store '$(or $(STORE),lmdb:.build/demo/store)' $(if $(STORE),,--write) $(ARGS)

.PHONY: test-studio
test-studio: ## Test the studio, also in headless Chromium, which is installed if it is missing.
	@Scripts/setup python3 chromium chromedriver postgresql
	swift build $(STUDIO) --build-tests
	swift test $(STUDIO) --skip-build
	$(SWIFT_BUILD) --product profile-cli-online
	$(WITH_POSTGRES) $(BROWSER) pytest -q -p no:cacheprovider Studio/Tests/Browser

.PHONY: bench-studio
bench-studio: setup ## Compare a page of the studio with its query and rendering, with PROFILES profiles (default: 1000000).
	swift run -c release $(STUDIO) bench-studio --profiles $(or $(PROFILES),1000000) $(ARGS)

.PHONY: screenshots
screenshots: ## Take the pictures of the studio for the guide.
	@Scripts/setup python3 chromium chromedriver japanese
	swift build $(STUDIO) --product profile-studio
	$(SWIFT_BUILD) --product profile-cli-online
	mkdir -p Sources/UserProfileKit/UserProfileKit.docc/Resources
	$(BROWSER) python Studio/Tests/Browser/screenshots.py Sources/UserProfileKit/UserProfileKit.docc/Resources

.PHONY: install
install: ## Install profile-cli to PREFIX/bin, with completions for bash, zsh and fish, and a manual page.
	@Scripts/setup python3
	$(RELEASE) --product profile-cli
	$(RELEASE) --product profile-cli-online
	Scripts/install "$$($(RELEASE) --show-bin-path)" "$(DESTDIR)$(PREFIX)"

.PHONY: check-install
check-install: ## Install everything to a new directory, test the installed programs, and uninstall them.
	@Scripts/setup groff
	work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && $(MAKE) install PREFIX="$$work" && \
		Scripts/check-install "$$work" && $(MAKE) uninstall PREFIX="$$work" && test -z "$$(find "$$work" -type f)"

.PHONY: release
release: ## Tag the newest version of CHANGELOG.md, so that `from: "VERSION"` of a clone's URL finds it.
	Scripts/release

.PHONY: uninstall
uninstall: ## Remove the installed files.
	Scripts/install --uninstall "$(DESTDIR)$(PREFIX)"

.PHONY: clean
clean: ## Remove all build products.
	rm -rf .build .build-tsan .build-asan .build-fuzz .build-power-loss Benchmarks/.build Examples/*/.build Studio/.build
