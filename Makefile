# What runs here runs on a fresh machine with Go, git and make: `make test`
# brings redis-server and a C compiler itself.

GO ?= go

.PHONY: demo test test-all generate check lint bench bench-parts docs

# Generates the examples' wrappers with this checkout's tool and runs one.
# REDIS_URL=redis://localhost:6379/0 decides on a server in place of memory.
demo: generate
	@$(GO) run ./examples/sms/demo

generate:
	@$(GO) generate ./examples/...

# With the race detector, in less than ten minutes on two cores.
test:
	@.ci/need redis-server cc
	@echo "Of the long tests a seeded share: 22 of 528 cells of the fault matrix, a tenth"
	@echo "of the traces against the oracle, 3% of the comparison of expressions with expr."
	@echo "make test-all runs them whole."
	CGO_ENABLED=1 $(GO) test -race -timeout 10m ./...
	cd bench && $(GO) test ./algorithms ./load ./page ./peers

# Everything at full length.
test-all:
	@.ci/need redis-server cc
	RATELIMIT_TEST_FULL=1 STORETEST_STEPS=1000000 CGO_ENABLED=1 $(GO) test -race -timeout 60m -count=1 ./...
	cd bench && $(GO) test -count=1 ./algorithms ./load ./page ./peers

# Fails where generated code is stale.
check:
	$(GO) tool ratelimitgen -check ./examples/...

lint: check
	@test -z "$$(gofmt -l $$(git ls-files '*.go' | grep -v ^testdata/))" || { gofmt -l $$(git ls-files '*.go' | grep -v ^testdata/); exit 1; }
	$(GO) vet ./...

# Writes docs/algorithms.md's tables and its picture, measuring on this machine.
docs:
	@.ci/need redis-server
	cd bench && $(GO) run ./algorithms

# Side by side with other limiters, in eight minutes: writes the tables of
# docs/performance.md and its picture.
bench:
	@.ci/need redis-server
	cd bench/guarded && $(GO) generate .
	cd bench && $(GO) run ./peers
	$(GO) test -run '^$$' -bench 'SlowestCall|Attack' -benchtime 1x ./runtime/faulttest

# The parts by themselves, attacks, the slowest call when Redis hangs, and
# scripts by the time that they take the server.
bench-parts:
	@.ci/need redis-server
	$(GO) test -run '^$$' -bench . -benchmem ./runtime/... ./generator/...
	cd bench && $(GO) test -count=1 -v .
