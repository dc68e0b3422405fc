//go:build unix

package launch

import (
	"os"
	"os/exec"
	"syscall"
)

// prepare hands the browser its ends of the pipe, file descriptors 3 and 4, and
// a process group of its own: its helpers are killed with it, and a Ctrl-C in
// our terminal is ours to answer.
func prepare(cmd *exec.Cmd, in, out *os.File, _ []*os.File) error {
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	return nil
}

// kill ends the browser and its group.
func kill(p *os.Process) { killGroup(p.Pid) }

// killGroup ends what is left of a group. Group numbers stay taken as long as
// one of the group lives; the leader was reaped a moment ago at most.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
