package config

import (
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Load gives the Config that the file, the environment and args (without the
// program's name) ask for; rest are the arguments from the first that is no
// flag. The file is the one of --config, which must be there, else that of the
// user's configuration folder, which need not be. For -h and --help it writes
// the flags to usage and gives flag.ErrHelp; every other error is a
// fault.InvalidArgument that says where the wrong value came from. A wrong
// value is refused even where a later source would replace it.
func Load(args []string, environ []string, usage io.Writer) (cfg Config, rest []string, err error) {
	line, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		writeUsage(usage)
		return Config{}, nil, flag.ErrHelp
	}
	if err != nil {
		return Config{}, nil, err
	}
	cfg = Default()
	if err := applyFile(&cfg, line.file); err != nil {
		return Config{}, nil, err
	}
	if err := applyEnv(&cfg, environ); err != nil {
		return Config{}, nil, err
	}
	for _, given := range line.given {
		if err := given.setText(&cfg, "--"+given.flag(), given.text); err != nil {
			return Config{}, nil, err
		}
	}
	return cfg, line.rest, nil
}

// A commandLine is what the flags say, before any value is read: the flags
// come last in rank, but --config is needed first.
type commandLine struct {
	file  *string // nil: no --config
	given []givenFlag
	rest  []string
}

type givenFlag struct {
	setting
	text string
}

func parseFlags(args []string) (commandLine, error) {
	var line commandLine
	set := flag.NewFlagSet("browser-mcp", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {} // otherwise every error prints all flags
	set.Func("config", "", func(path string) error { line.file = &path; return nil })
	for _, s := range settings {
		define := set.Func
		if s.kind.name == "boolean" {
			define = set.BoolFunc
		}
		define(s.flag(), "", func(text string) error {
			line.given = append(line.given, givenFlag{s, text})
			return nil
		})
	}
	err := set.Parse(args)
	line.rest = set.Args()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return line, err
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		next := "--help lists the flags"
		if meant := nearest(name, append(known(setting.flag), "config")); meant != "" {
			next = "did you mean --" + meant + "?"
		}
		return line, fault.New(fault.InvalidArgument, "--%s: no such flag, %s", clip(name), next)
	}
	return line, fault.New(fault.InvalidArgument, "%w: --help lists the flags", err)
}

func applyEnv(cfg *Config, environ []string) error {
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		suffix, ours := strings.CutPrefix(name, envPrefix)
		if !ours {
			continue
		}
		place := "environment variable " + clip(name)
		i := slices.IndexFunc(settings, func(s setting) bool { return s.env() == suffix })
		if i < 0 {
			next := "--help lists the settings"
			if meant := nearest(suffix, known(setting.env)); meant != "" {
				next = "did you mean " + envPrefix + meant + "?"
			}
			return fault.New(fault.InvalidArgument, "%s: no such setting, %s", place, next)
		}
		if err := settings[i].setText(cfg, place, text); err != nil {
			return err
		}
	}
	return nil
}

// applyFile reads the named file, or without a name the user's own when there is one.
func applyFile(cfg *Config, named *string) error {
	var path string
	if named != nil {
		path = *named
	} else {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil // without a home there is no file of the user's
		}
		path = filepath.Join(folder, "browser-mcp", "config.json")
	}
	data, err := os.ReadFile(path)
	if named == nil && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.New(fault.InvalidArgument, "configuration file: %w: name a JSON file that can be read with --config", err)
	}
	return applyJSON(cfg, path, data)
}
