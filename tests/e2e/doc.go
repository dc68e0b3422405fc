// Package e2e owns the tests of the program as clients meet it: a process with
// three streams. It builds the binary, speaks with it through two independent
// client libraries and on plain lines, ends it in every way in which a process
// can end, and looks for what is left. It holds tests only, and imports nothing
// of ours. What it asks of the system stands in /proc, so it runs on Linux.
package e2e
