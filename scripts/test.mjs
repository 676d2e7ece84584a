// Runs the checks (formatter, linter, types) and the tests at the same time. The arguments are those of `vitest run`:
//   npm test -- test/golden
// A check that fails ends the tests, too.
import { spawn } from "node:child_process"

// npm names its own program, which is no executable on every system.
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]
// The compiler is a Go program. It ends before it has filled this memory, so collecting its garbage would only take time.
const env = { GOGC: "off", GOMEMLIMIT: "1500MiB", ...process.env }
const check = spawn(npm[0], [...npm.slice(1), "run", "-s", "check"], { stdio: ["ignore", "pipe", "pipe"], env })
const tests = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], { stdio: "inherit" })

/** Resolves with the exit code of a process; one that a signal ended has failed. */
const codeOf = (child) => new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)))

let said = ""
for (const stream of [check.stdout, check.stderr]) {
  stream.setEncoding("utf8").on("data", (text) => {
    said += text
  })
}
const checked = codeOf(check).then((code) => {
  if (code === 0) return code
  tests.kill()
  process.stderr.write(`\n${said}\nThe checks have failed (npm run check), so the tests were ended.\n`)
  return code
})

const codes = await Promise.all([checked, codeOf(tests)])
process.exitCode = codes.find((code) => code !== 0) ?? 0
