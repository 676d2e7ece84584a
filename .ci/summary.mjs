// Lists what was skipped and why, and ends with a line that counts the tests.
//   node .ci/summary.mjs <folder of vitest's JSON reports> <exit code of the steps>
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

const [folder, code] = [process.argv[2], Number(process.argv[3])]
const count = { passed: 0, failed: 0, skipped: 0 }
const byReason = new Map()

for (const name of readdirSync(folder)) {
  for (const file of JSON.parse(readFileSync(join(folder, name), "utf8")).testResults) {
    const path = relative(process.cwd(), file.name)
    // A file that cannot be loaded has no tests.
    if (file.status === "failed" && file.assertionResults.length === 0) count.failed++
    for (const test of file.assertionResults) {
      if (test.status === "passed") count.passed++
      else if (test.status === "failed") count.failed++
      else skip(test.meta?.needs, `${path}: ${test.fullName}`)
    }
  }
}

function skip(reason, name) {
  // A test that is skipped without a reason has been forgotten.
  if (reason === undefined) count.failed++
  else count.skipped++
  const key = reason === undefined ? "FAILED, because they are skipped without a reason" : `skipped, because they need ${reason}`
  byReason.set(key, [...(byReason.get(key) ?? []), name])
}

for (const [reason, names] of [...byReason].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`\n${names.length} ${reason}:`)
  for (const name of names) console.log(`  ${name}`)
}
// Without a failed test something failed before or beside the tests: installing, formatting, types.
const failed = code !== 0 && count.failed === 0 ? 1 : count.failed
console.log(`\n${count.passed} passed, ${failed} failed, ${count.skipped} skipped`)
process.exitCode = failed > 0 ? Math.max(code, 1) : code
