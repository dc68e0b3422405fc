package launch

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// prepare hands the browser its ends of the pipe: their handles, by number, in a
// switch. Go lets a child inherit only what is listed; ours are made private for
// the sake of whatever else this program starts.
func prepare(cmd *exec.Cmd, in, out *os.File, ours []*os.File) error {
	for _, f := range ours {
		if err := inherit(f, 0); err != nil {
			return err
		}
	}
	for _, f := range []*os.File{in, out} {
		if err := inherit(f, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
	}
	r, w := syscall.Handle(in.Fd()), syscall.Handle(out.Fd())
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{r, w}}
	// First of all: after the address it would not be a switch.
	cmd.Args = append([]string{cmd.Args[0], fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", r, w)}, cmd.Args[1:]...)
	return nil
}

func inherit(f *os.File, flag uint32) error {
	if err := syscall.SetHandleInformation(syscall.Handle(f.Fd()), syscall.HANDLE_FLAG_INHERIT, flag); err != nil {
		return fmt.Errorf("preparing a pipe for the browser: %w", err)
	}
	return nil
}

func missingDisplay() bool    { return false }
func smallSharedMemory() bool { return false }
func canUnshare() bool        { return true }

// kill ends the browser with its children, which taskkill finds only while it lives.
func kill(p *os.Process) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
	_ = p.Kill()
}

// killGroup has nothing to do: see [process.KillLeftovers].
func killGroup(int) {}
