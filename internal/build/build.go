// Package build tells what this program was built from.
package build

import "runtime/debug"

// Version is a release's tag or the commit; "(devel)" when neither is known.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
