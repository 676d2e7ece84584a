// Runs one of the two tiers of the tests (CONTRIBUTING.md). Further arguments are those of `vitest run`:
//   node scripts/test.mjs quick [FOLDER…]    the checks (formatter, linter, types, unused exports), and at the same time the first tier
//   node scripts/test.mjs system [FOLDER…]   the second tier; then the first one again, each file with modules of its own, in another order (--sequence.seed=N for yet another)
// TEST_REPORTS=FOLDER writes vitest's JSON reports there, which .ci/summary.mjs reads.
import { spawn } from "node:child_process"
import { join } from "node:path"

const [tier, ...given] = process.argv.slice(2)
const { TEST_REPORTS: reports } = process.env

/** Starts vitest on a tier. The name is that of its report. */
function vitest(name, project, ...options) {
  const reporters = reports ? ["--reporter=default", "--reporter=json", `--outputFile.json=${join(reports, `${name}.json`)}`] : []
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...options, ...reporters, ...given]
  return spawn(process.execPath, args, { stdio: "inherit" })
}

/** Resolves with the exit code of a process; one that a signal ended has failed. */
const codeOf = (child) => new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)))

async function quick() {
  // npm names its own program, which is no executable on every system.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]
  const check = spawn(npm[0], [...npm.slice(1), "run", "-s", "check"], { stdio: ["ignore", "pipe", "pipe"] })
  const tests = vitest("quick", "quick")
  let said = ""
  for (const stream of [check.stdout, check.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text
    })
  }
  const checked = codeOf(check).then((code) => {
    if (code === 0) return code
    // A check that fails ends the tests, too.
    tests.kill()
    process.stderr.write(`\n${said}\nThe checks have failed (npm run check), so the tests were ended.\n`)
    return code
  })
  return Promise.all([checked, codeOf(tests)])
}

async function system() {
  const none = "--passWithNoTests"
  const shuffled = ["--isolate", "--sequence.shuffle.files", "--sequence.shuffle.tests", "--sequence.seed=1"]
  return [await codeOf(vitest("system", "system", none)), await codeOf(vitest("shuffled", "quick", none, ...shuffled))]
}

const codes = await { quick, system }[tier]()
process.exitCode = codes.find((code) => code !== 0) ?? 0
