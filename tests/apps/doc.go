// Package apps owns the tests of the program on apps of the frameworks and on
// editors, as npm delivers them: production builds of the sources in pages. Each
// app tells what its framework believes, and that is what the tests compare. It
// holds tests only, and imports nothing of ours.
package apps
