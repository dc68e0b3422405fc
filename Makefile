# browser-mcp: the commands of the house. `make help` lists them.
BIN := bin/browser-mcp

.PHONY: help build browser demo test race bench fuzz lint update docs clean

help: ## list the commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## build bin/browser-mcp
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o $(BIN) ./cmd/browser-mcp

browser: ## get a browser when there is none
	@.ci/browser

demo: build browser ## run a real session against the built-in page, and print it
	$(BIN) demo

test: ## everything that the tests need, then all of them with -race
	@.ci/browser all
	@.ci/node
	go test -race -count=1 -parallel 3 -timeout 20m ./...

race: test ## the same as test

bench: build browser ## our figures beside the same work sent raw, in one run
	go run ./tests/bench

fuzz: ## look for inputs that break the parsers, for a while each
	go test ./internal/tool -run '^$$' -fuzz FuzzDecode -fuzztime 20s
	go test ./internal/config -run '^$$' -fuzz FuzzLoad -fuzztime 20s
	go test ./internal/cdp/selector -run '^$$' -fuzz FuzzParse -fuzztime 20s -fuzzminimizetime 100x
	go test ./internal/images -run '^$$' -fuzz FuzzBound -fuzztime 20s -fuzzminimizetime 100x
	go test ./internal/markdown -run '^$$' -fuzz FuzzConvert -fuzztime 20s

lint: ## vet, format and static checks
	@test -z "$$(gofmt -l cmd internal tests)" || { gofmt -l cmd internal tests; echo 'gofmt these'; exit 1; }
	go vet ./...
	go tool staticcheck ./...

update: docs ## write the golden files and the generated documents anew

docs: ## write docs/tools.md, docs/configuration.md, config.example.json and the README's table anew
	go test ./internal/tools ./internal/config -update

clean: ## remove what was built
	rm -rf bin
