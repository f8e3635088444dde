// Package harness runs the tests of one program inside the sandbox and reports through the results pipe.
//
// It shares a process with hostile text: the reader trusts a report only with the end line, which carries the nonce.
package harness

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/internal/testdeps"
)

var (
	nonce   string
	results *os.File
)

// Before the program's own init functions: packages are initialised in the order of their paths.
func init() {
	told, _ := io.ReadAll(os.Stdin)
	nonce = string(told)
	fd, _ := strconv.Atoi(os.Getenv("AXIOM_RESULTS_FD"))
	os.Unsetenv("AXIOM_RESULTS_FD")
	syscall.CloseOnExec(fd)
	results = os.NewFile(uintptr(fd), "results")
	// A recursion without end is to be told apart from other use of memory.
	debug.SetMaxStack(128 << 20)
	if null, err := syscall.Open(os.DevNull, syscall.O_RDONLY, 0); err == nil {
		syscall.Dup3(null, 0, 0)
	}
}

// Main runs the tests and ends the process. What package testing says goes to the results pipe, marked at the start
// of each of its lines (test2json); the program keeps the standard output.
func Main(tests []testing.InternalTest) {
	output := os.Stdout
	wrapped := []testing.InternalTest{{Name: "", F: func(*testing.T) { os.Stdout = output }}}
	for _, test := range tests {
		wrapped = append(wrapped, testing.InternalTest{Name: test.Name, F: recovering(test.F)})
	}
	os.Args = []string{"tests", "-test.v=test2json", "-test.timeout=0", "-test.paniconexit0"}
	os.Stdout = results
	code := testing.MainStart(testdeps.TestDeps{}, wrapped, nil, nil, nil).Run()
	fmt.Fprintf(results, "\n%s end %d\n", nonce, code)
	os.Exit(code)
}

// One test that panics must not keep the others from running.
func recovering(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		defer func() {
			if reason := recover(); reason != nil {
				t.Errorf("panic: %v%s", reason, place())
			}
		}()
		test(t)
	}
}

func place() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "zzz/program.") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}
