// Package process tells processes apart, and ends those that a program left. It
// is asked of the system in a different way on each, and imports nothing of ours.
package process
