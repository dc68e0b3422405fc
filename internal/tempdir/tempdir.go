// Package tempdir owns our temporary folders. Their names tell whose they are, so
// that the next process clears away what a dead one left.
package tempdir

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/browser-mcp/browser-mcp/internal/process"
)

// ownedName is the name of a folder of ours: kind, owner's pid, the owner's start time, random.
var ownedName = regexp.MustCompile(`^browser-mcp-[a-z]+-([0-9]+)-([0-9]+)-[0-9]+$`)

// ownBirth is the start time of this process, "0" where the system does not tell.
var ownBirth = sync.OnceValue(func() string {
	if birth, alive := process.Birth(os.Getpid()); alive && birth != "" {
		return birth
	}
	return "0"
})

// New makes a private folder (0700) in base, "" for the system's temporary
// folder. Its name carries its owner: browser-mcp-<kind>-<pid>-<start time>-<random>,
// so that Sweep removes it once this process is dead. kind is lower-case letters.
func New(base, kind string) (string, error) {
	if base == "" {
		base = os.TempDir()
	}
	return os.MkdirTemp(base, fmt.Sprintf("browser-mcp-%s-%d-%s-", kind, os.Getpid(), ownBirth()))
}

// Sweep removes the folders that dead owners left in the system's temporary folder
// and in the further ones that are named, and ends what still runs on them. A
// folder of a living owner stays, however old; pid and start time together tell an owner from a later process
// with its pid. A folder that cannot be removed is left for the next time.
func Sweep(log *slog.Logger, further ...string) {
	sweep(os.TempDir(), log)
	for _, base := range further {
		if _, err := os.Stat(base); err == nil {
			sweep(base, log)
		}
	}
}

func sweep(base string, log *slog.Logger) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		log.Warn("temporary folder not swept", "error", err)
	}
	for _, entry := range entries {
		m := ownedName.FindStringSubmatch(entry.Name())
		// A link is nobody's folder: following it would remove what it points to.
		if m == nil || !entry.IsDir() {
			continue
		}
		pid, err := strconv.Atoi(m[1])
		if err != nil || ownerLives(pid, m[2]) {
			continue
		}
		path := filepath.Join(base, entry.Name())
		process.KillLeftovers(0, path)
		err = os.RemoveAll(path)
		log.Debug("swept the folder of a dead owner", "path", path, "error", err)
	}
}

// ownerLives reports whether the process that was born then still runs; where
// births are unknown, any process with that pid counts.
func ownerLives(pid int, then string) bool {
	birth, alive := process.Birth(pid)
	return alive && (birth == "" || then == "0" || birth == then)
}
