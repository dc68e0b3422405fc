package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

var update = flag.Bool("update", false, "rewrite the generated files")

// home gives the test a configuration folder of its own, and the path of the file in it.
func home(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	folder, err := os.UserConfigDir()
	require.NoError(t, err)
	folder = filepath.Join(folder, "browser-mcp")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	return filepath.Join(folder, "config.json")
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// refused checks that err is the caller's to mend and has the message.
func refused(t *testing.T, err error, message string) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	assert.Equal(t, message, err.Error())
}

func TestDefault(t *testing.T) {
	assert.Equal(t, Config{
		Browser:  Browser{Headless: true, Sandbox: "auto", Args: []string{}, Viewport: Viewport{1280, 720}, Dialogs: "ask"},
		Session:  Session{IdleTimeout: Duration(30 * time.Minute), Max: 3},
		Tools:    Tools{Sets: []string{"default"}, Allow: []string{}, Deny: []string{}},
		Output:   Output{InlineLimit: 4096, SnapshotLimit: 12000},
		Images:   Images{MaxDimension: 1568, MaxBytes: 3_750_000},
		Timeouts: Timeouts{Default: Duration(15 * time.Second), Navigation: Duration(15 * time.Second), Wait: Duration(30 * time.Second)},
		Log:      Log{Level: "info", Format: "text"},
	}, Default())
}

func TestGeneratedFilesAreFresh(t *testing.T) {
	for path, want := range map[string][]byte{"config.example.json": Example(), "docs/configuration.md": Markdown()} {
		path = filepath.Join("..", "..", filepath.FromSlash(path))
		if *update {
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")) // git may check out so on Windows
		assert.Equal(t, string(want), string(got), "go test ./internal/config -update makes %s again", path)
	}
}

func TestEverySettingIsWhole(t *testing.T) {
	names := map[string]bool{}
	for _, s := range settings {
		assert.NotEmpty(t, s.key, s.section)
		assert.NotEmpty(t, s.doc(), s.path())
		assert.NotContains(t, s.doc(), "|", "breaks the table of %s", s.path())
		assert.NotEmpty(t, s.kind, "%s has a type that kinds does not know", s.path())
		for _, name := range []string{s.path(), s.env(), s.flag()} {
			assert.False(t, names[name], "%s twice", name)
			names[name] = true
		}
	}
}

func TestExampleLoadsAsTheDefault(t *testing.T) {
	cfg := Config{}
	require.NoError(t, applyJSON(&cfg, "example", Example()))
	assert.Equal(t, Default(), cfg)
}

// Every subset of the sources gives session.max of the highest one in it.
func TestPrecedence(t *testing.T) {
	for sources := range 8 {
		path := home(t)
		want, args, environ := 3, []string(nil), []string{"HOME=/", "PATH", "=C:=C:\\", "browser_mcp_x=1"}
		if sources&1 != 0 {
			write(t, path, `{"session": {"max": 10}}`)
			want = 10
		}
		if sources&2 != 0 {
			environ = append(environ, "BROWSER_MCP_SESSION_MAX=20")
			want = 20
		}
		if sources&4 != 0 {
			args = append(args, "--session-max=30")
			want = 30
		}
		cfg, _, err := Load(args, environ, io.Discard)
		require.NoError(t, err)
		expected := Default()
		expected.Session.Max = want
		assert.Equal(t, expected, cfg, "sources %03b", sources)
	}
}

// Each setting can be given by each source, to the same end.
func TestEverySettingFromEverySource(t *testing.T) {
	home(t)
	for _, s := range settings {
		values := []string{s.tag.Get("default"), map[string]string{
			"boolean": "true", "integer": "2000", "string": "x", "list": "a, b", "duration": "90s", "size": "10×20",
		}[s.kind.name]}
		if s.oneOf != nil {
			values = s.oneOf
		}
		for _, value := range values {
			fromEnv, _, err := Load(nil, []string{envPrefix + s.env() + "=" + value}, io.Discard)
			require.NoError(t, err)
			fromFlag, _, err := Load([]string{"--" + s.flag() + "=" + value}, nil, io.Discard)
			require.NoError(t, err)
			assert.Equal(t, fromEnv, fromFlag, s.path())

			fromFile := Default()
			file, err := json.Marshal(map[string]any{s.section: map[string]any{s.key: s.of(&fromEnv).Interface()}})
			require.NoError(t, err)
			require.NoError(t, applyJSON(&fromFile, "f", file))
			assert.Equal(t, fromEnv, fromFile, s.path())
		}
	}
}

func TestConfigFile(t *testing.T) {
	own := home(t)
	other := write(t, filepath.Join(t.TempDir(), "other.json"), `{"log": {"level": "warn"}}`)
	cfg, _, err := Load(nil, nil, io.Discard)
	require.NoError(t, err, "nobody has to have a file")
	assert.Equal(t, Default(), cfg)

	write(t, own, "\uFEFF"+`{"log": {"level": "debug", "format": "json"}}`)
	cfg, _, err = Load(nil, nil, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, Log{Level: "debug", Format: "json"}, cfg.Log)

	cfg, _, err = Load([]string{"--config", other}, nil, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, Log{Level: "warn", Format: "text"}, cfg.Log, "--config stands for the own file, not on top of it")

	write(t, own, `{"log": {"level": 1}}`)
	_, _, err = Load([]string{"--log-level=info"}, nil, io.Discard)
	refused(t, err, own+`:1:19: log.level: found the number 1, want one of debug, info, warn, error`)

	missing := filepath.Join(t.TempDir(), "missing.json")
	for _, path := range []string{missing, "", t.TempDir()} {
		_, _, err = Load([]string{"--config=" + path}, nil, io.Discard)
		require.Error(t, err)
		assert.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
		assert.Contains(t, err.Error(), path)
		assert.Contains(t, err.Error(), "--config")
	}
	require.NoError(t, os.Remove(own))
	require.NoError(t, os.Mkdir(own, 0o700))
	_, _, err = Load(nil, nil, io.Discard)
	assert.ErrorContains(t, err, own, "a file that is there and cannot be read is not passed over")
}

func TestFlags(t *testing.T) {
	home(t)
	cfg, rest, err := Load([]string{
		"--browser-headless=false", "-tools-read-only", "--session-idle-timeout", "0", "--tools-sets", "all",
		"--tools-sets=tabs,forms", "--output-keep", "false", "--log-level=x",
	}, nil, io.Discard)
	require.NoError(t, err)
	assert.False(t, cfg.Browser.Headless)
	assert.True(t, cfg.Tools.ReadOnly)
	assert.Zero(t, cfg.Session.IdleTimeout)
	assert.Equal(t, []string{"tabs", "forms"}, cfg.Tools.Sets, "the last one counts")
	assert.Equal(t, []string{"false", "--log-level=x"}, rest, "a boolean takes its value after = only, as in package flag")

	_, rest, err = Load([]string{"--", "--log-level=x"}, nil, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, []string{"--log-level=x"}, rest)
}

func TestHelp(t *testing.T) {
	for _, arg := range []string{"-h", "--help"} {
		var usage bytes.Buffer
		_, _, err := Load([]string{arg}, []string{"BROWSER_MCP_LOG_LEVEL=junk"}, &usage)
		require.ErrorIs(t, err, flag.ErrHelp)
		for _, s := range settings {
			assert.Contains(t, usage.String(), "--"+s.flag())
		}
	}
	_, _, err := Load([]string{"--hel"}, nil, nil)
	assert.False(t, errors.Is(err, flag.ErrHelp))
}

func FuzzLoad(f *testing.F) {
	f.Add(string(Example()))
	for _, c := range badFiles {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg := Default()
		if err := applyJSON(&cfg, "f.json", []byte(text)); err != nil {
			require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
			require.True(t, strings.HasPrefix(err.Error(), "f.json:"), err)
			return
		}
		again := Default()
		require.NoError(t, applyJSON(&again, "again", encode(cfg)))
		require.Equal(t, cfg, again)
	})
}
