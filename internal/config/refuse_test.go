package config

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var badFiles = []struct{ name, text, want string }{
	{"unknown key", "{\n  \"browser\": {\n    \"headles\": true\n  }\n}", `f:3:5: no such key "browser.headles", did you mean "headless" in "browser"?`},
	{"key of another section", `{"browser": {"idle_timeout": "1m"}}`, `f:1:14: no such key "browser.idle_timeout", did you mean "idle_timeout" in "session"?`},
	{"unknown section", `{"brwser": {}}`, `f:1:2: no such key "brwser", did you mean "browser"?`},
	{"key without its section", `{"headless": true}`, `f:1:2: no such key "headless", did you mean "headless" in "browser"?`},
	{"path as a key", `{"browser.headless": true}`, `f:1:2: no such key "browser.headless", did you mean "headless" in "browser"?`},
	{"other case", `{"Log": {}}`, `f:1:2: no such key "Log", did you mean "log"?`},
	{"empty key", `{"log": {"": 1}}`, `f:1:10: no such key "log.", there are level, format, file`},
	{"key of any length", `{"` + strings.Repeat("a", 1e6) + `": 1}`, `f:1:2: no such key "` + strings.Repeat("a", 60) + `…", there are browser, session, tools, output, secrets, images, timeouts, log`},

	{"column in characters", `{"log": {"file": "äöü", "levl": 1}}`, `f:1:25: no such key "log.levl", did you mean "level" in "log"?`},
	{"column after a byte order mark", "\uFEFF" + `{"lo": {}}`, `f:1:2: no such key "lo", did you mean "log"?`},
	{"lines of Windows", "{\r\n\t\"log\":\r\n\t{\"x\":1}}", `f:3:3: no such key "log.x", there are level, format, file`},

	{"same key twice", `{"log": {"level": "info", "level": "info"}}`, `f:1:27: key "level" a second time, keep one of them`},
	{"same key, other spelling", `{"log": {"level": "info", "l\u0065vel": "warn"}}`, `f:1:27: key "level" a second time, keep one of them`},
	{"same section twice", `{"log": {}, "log": {}}`, `f:1:13: key "log" a second time, keep one of them`},

	{"trailing text", "{}\n{}", `f:2:1: not JSON: invalid character '{' after top-level value`},
	{"trailing comma", "{\n\"log\": {},\n}", `f:3:1: not JSON: invalid character '}' looking for beginning of object key string`},
	{"comment", "{ // x", `f:1:3: not JSON: invalid character '/' looking for beginning of object key string`},
	{"cut off", `{"log": {`, `f:1:9: not JSON: unexpected end of JSON input`},
	{"empty", ``, `f:1:1: not JSON: unexpected end of JSON input`},
	{"UTF-16", "\xff\xfe{\x00}\x00", `f: not UTF-8, save it in that encoding`},

	{"no object", ` []`, `f:1:2: the whole file: found the list [], want an object { … }`},
	{"section no object", `{"log": "debug"}`, `f:1:9: log: found the string "debug", want an object { … }`},
	{"section null", `{"log": null}`, `f:1:9: log: found null, want an object { … }`},
	{"boolean as string", `{"browser": {"headless": "yes"}}`, `f:1:26: browser.headless: found the string "yes", want true or false`},
	{"null", `{"browser": {"headless": null}}`, `f:1:26: browser.headless: found null, want true or false`},
	{"string as boolean", `{"log": {"file": true}}`, `f:1:18: log.file: found true, want a string`},
	{"fraction", `{"session": {"max": 1.5}}`, `f:1:21: session.max: found the number 1.5, want a whole number, 1 or more`},
	{"too small", `{"session": {"max": 0}}`, `f:1:21: session.max: found the number 0, want a whole number, 1 or more`},
	{"too large", `{"images": {"max_dimension": 16385}}`, `f:1:30: images.max_dimension: found the number 16385, want a whole number, from 1 to 16384`},
	{"beyond any integer", `{"session": {"max": 99999999999999999999}}`, `f:1:21: session.max: found the number 99999999999999999999, want a whole number, 1 or more`},
	{"list as string", `{"browser": {"args": "--a"}}`, `f:1:22: browser.args: found the string "--a", want a list of strings, none of them empty`},
	{"list of others", "{\"browser\": {\"args\": [\"a\",\n 1]}}", `f:1:22: browser.args: found the list ["a",1], want a list of strings, none of them empty`},
	{"list with null", `{"browser": {"args": [null]}}`, `f:1:22: browser.args: found the list [null], want a list of strings, none of them empty`},
	{"enum", `{"browser": {"channel": "chrome"}}`, `f:1:25: browser.channel: found the string "chrome", want one of "", stable, beta, dev, canary, chromium, headless-shell, edge, brave`},
	{"object as duration", `{"timeouts": {"wait": {"s": 1}}}`, `f:1:23: timeouts.wait: found the object {"s":1}, want a duration such as "15s" or "30m", from 1ms to 24h`},
	{"number as duration", `{"session": {"idle_timeout": 30}}`, `f:1:30: session.idle_timeout: found the number 30, want a duration such as "15s" or "30m", 0s or more`},
	{"viewport object", `{"browser": {"viewport": {}}}`, `f:1:26: browser.viewport: found the object {}, want a width and a height from 1 to 10000 such as "1280x720"`},
}

func TestBadFiles(t *testing.T) {
	for _, c := range badFiles {
		t.Run(c.name, func(t *testing.T) {
			cfg := Default()
			refused(t, applyJSON(&cfg, "f", []byte(c.text)), c.want)
		})
	}
}

func TestBadEnvironment(t *testing.T) {
	home(t)
	for entry, want := range map[string]string{
		"BROWSER_MCP_BROWSER_HEADLES=1":                              "BROWSER_HEADLES: no such setting, did you mean BROWSER_MCP_BROWSER_HEADLESS?",
		"BROWSER_MCP_HEADLESS=1":                                     "HEADLESS: no such setting, did you mean BROWSER_MCP_BROWSER_HEADLESS?",
		"BROWSER_MCP_SESSION_IDLETIMEOUT=1m":                         "SESSION_IDLETIMEOUT: no such setting, did you mean BROWSER_MCP_SESSION_IDLE_TIMEOUT?",
		"BROWSER_MCP_log_level=warn":                                 "log_level: no such setting, did you mean BROWSER_MCP_LOG_LEVEL?",
		"BROWSER_MCP_PROXY=http://x":                                 "PROXY: no such setting, --help lists the settings",
		"BROWSER_MCP_LOG_LEVEL":                                      `LOG_LEVEL: found "", want one of debug, info, warn, error`,
		"BROWSER_MCP_BROWSER_HEADLESS=":                              `BROWSER_HEADLESS: found "", want true or false`,
		"BROWSER_MCP_BROWSER_HEADLESS=yes":                           `BROWSER_HEADLESS: found "yes", want true or false`,
		"BROWSER_MCP_SESSION_MAX=three":                              `SESSION_MAX: found "three", want a whole number, 1 or more`,
		"BROWSER_MCP_TOOLS_DENY=a,,b":                                `TOOLS_DENY: found "a,,b", want a list of strings, none of them empty`,
		"BROWSER_MCP_TIMEOUTS_WAIT=15":                               `TIMEOUTS_WAIT: found "15", want a duration such as "15s" or "30m", from 1ms to 24h`,
		"BROWSER_MCP_TIMEOUTS_WAIT=-15s":                             `TIMEOUTS_WAIT: found "-15s", want a duration such as "15s" or "30m", from 1ms to 24h`,
		"BROWSER_MCP_SESSION_IDLE_TIMEOUT=-1ns":                      `SESSION_IDLE_TIMEOUT: found "-1ns", want a duration such as "15s" or "30m", 0s or more`,
		"BROWSER_MCP_LOG_FORMAT=\x1b[31m" + strings.Repeat("x", 1e5): `LOG_FORMAT: found "\x1b[31m` + strings.Repeat("x", 55) + `…", want one of text, json`,
	} {
		_, _, err := Load(nil, []string{entry}, io.Discard)
		refused(t, err, "environment variable "+envPrefix+want)
	}
}

func TestBadFlags(t *testing.T) {
	home(t)
	for arg, want := range map[string]string{
		"--browser-headles":      "--browser-headles: no such flag, did you mean --browser-headless?",
		"--headless=false":       "--headless: no such flag, did you mean --browser-headless?",
		"--tools-read_only":      "--tools-read_only: no such flag, did you mean --tools-read-only?",
		"--browser-idle-timeout": "--browser-idle-timeout: no such flag, did you mean --session-idle-timeout?",
		"--confg=x":              "--confg: no such flag, did you mean --config?",
		"--nope":                 "--nope: no such flag, --help lists the flags",
		"--browser-headless=yes": `--browser-headless: found "yes", want true or false`,
		"--session-max=":         `--session-max: found "", want a whole number, 1 or more`,
		"--session-max":          "flag needs an argument: -session-max: --help lists the flags",
		"---log":                 "bad flag syntax: ---log: --help lists the flags",
	} {
		cfg, rest, err := Load([]string{arg}, nil, io.Discard)
		refused(t, err, want)
		assert.Zero(t, cfg)
		assert.Nil(t, rest)
	}
}

func TestLists(t *testing.T) {
	for text, want := range map[string][]string{
		"": {}, "  ": {}, "a": {"a"}, "a,b": {"a", "b"}, " a , b c ": {"a", "b c"}, "--x=1,--y": {"--x=1", "--y"},
	} {
		cfg, _, err := Load(nil, []string{"BROWSER_MCP_BROWSER_ARGS=" + text}, io.Discard)
		require.NoError(t, err)
		assert.Equal(t, want, cfg.Browser.Args, "%q", text)
	}
}

func TestViewport(t *testing.T) {
	for text, want := range map[string]Viewport{
		"1280x720": {1280, 720}, "1280×720": {1280, 720}, "1x10000": {1, 10000},
	} {
		var v Viewport
		require.NoError(t, v.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, v)
	}
	for _, text := range []string{
		"", "x", "1280", "1280x", "x720", "0x0", "0x5", "-1x5", "+1x5", "1e9x1", "10001x1", "1x99999999999999999999",
		"1280x720x1", "1280×720x1", "1280 x 720", "1280X720", "1_000x1", "0x10x1",
	} {
		v := Viewport{1, 2}
		assert.ErrorContains(t, v.UnmarshalText([]byte(text)), "1280x720", text)
		assert.Equal(t, Viewport{1, 2}, v, "a wrong text changes nothing")
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0s", "0s": "0s", "15s": "15s", "30m": "30m", "90s": "1m30s", "60m": "1h", "1h0m5s": "1h0m5s",
		"1h30m": "1h30m", "10m": "10m", "20h": "20h", "500ms": "500ms", "1.5s": "1.5s",
	} {
		var d Duration
		require.NoError(t, d.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, d.String())
		parsed, err := time.ParseDuration(want)
		require.NoError(t, err)
		assert.Equal(t, Duration(parsed), d)
	}
	for _, text := range []string{"", "15", "-1s", "1 s", "s", "NaN", "1e3s", "1000000000h"} {
		d := Duration(time.Second)
		require.Error(t, d.UnmarshalText([]byte(text)), text)
		assert.Equal(t, Duration(time.Second), d, "a wrong text changes nothing")
	}
}
