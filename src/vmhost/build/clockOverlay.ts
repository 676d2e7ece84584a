import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { vmError } from "../errors.js"

/** The variable of the file below. The test of the map, which reads lines, would take its line for a variable of this module. */
const VARIABLE = "var hostClock = mapHostClock()"

/** A file for Go's package `time`, in which a program maps the clock of its host. */
const FOLLOWER = `// A part of package time in a plugin that Serac has built. The plugin follows the clock of its host: the variable GRPC_SERAC_CLOCK names a file
// of two numbers, nanoseconds in little endian. The first is added to the time of the machine. The second, unless it is 0, is shown instead.
// Without the variable, time is as always. Timers, durations and the monotonic clock always are.

package time

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

${VARIABLE}

func mapHostClock() *[2]int64 {
	name, isSet := syscall.Getenv("GRPC_SERAC_CLOCK")
	if !isSet {
		return nil
	}
	file, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	numbers, err := syscall.Mmap(file, 0, 16, syscall.PROT_READ, syscall.MAP_SHARED)
	syscall.Close(file)
	if err != nil {
		return nil
	}
	return (*[2]int64)(unsafe.Pointer(unsafe.SliceData(numbers)))
}

// shownByHost returns what the host's clock makes of a reading of the machine's.
func shownByHost(sec int64, nsec int32, mono int64) (int64, int32, int64) {
	if hostClock == nil {
		return sec, nsec, mono
	}
	ahead, rest := atomic.LoadInt64(&hostClock[0]), int64(nsec)
	if fixed := atomic.LoadInt64(&hostClock[1]); fixed != 0 {
		ahead, sec, rest = fixed, 0, 0
	}
	sec += ahead / 1e9
	rest += ahead % 1e9
	for rest < 0 {
		sec, rest = sec-1, rest+1e9
	}
	for rest >= 1e9 {
		sec, rest = sec+1, rest-1e9
	}
	return sec, int32(rest), mono
}
`

/** The line of Go's `time.Now` that reads the machine's clock. Its name has changed between releases. */
const READING = /^(func Now\(\) Time \{\n\tsec, nsec, mono := )(\w+\(\))$/m

/** The text of the overlay, by which a build is known. */
export const overlayText = `${FOLLOWER}${READING.source}`

/**
 * Writes an overlay for `go build`, with which `time.Now` of the program follows the clock of its host, for the Go of a directory. Returns the
 * program, the arguments and the variables of the build. Nothing of Go itself is changed. Throws `vm.unknown_go`.
 */
export function writeOverlay(goroot: string, goVersion: string, dir: string) {
  const link = join(dir, "goroot")
  mkdirSync(dir, { recursive: true })
  // Go takes no overlay of files in its cache of modules, which is where it keeps the releases that it has downloaded.
  symlinkSync(goroot, link)
  const time = join(link, "src", "time")
  const source = readFileSync(join(time, "time.go"), "utf8")
  if (!READING.test(source)) throw vmError("vm.unknown_go", { version: goVersion, goroot })
  const files = { "time.go": source.replace(READING, "$1shownByHost($2)"), "serac_clock.go": FOLLOWER }
  const overlay = join(dir, "overlay.json")
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const replaced = Object.keys(files).map((name) => [join(time, name), join(dir, name)])
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(replaced) }))
  return { go: join(link, "bin", "go"), args: ["-overlay", overlay], env: { GOROOT: link, GOTOOLCHAIN: "local" } }
}
