import { loadBackends } from "../../src/platform/backends.js"
import { recordingNames, recordingPath } from "../recordings/recordings.js"
import { runFile, vectorFiles } from "./run.js"

/** `npm run -s vectors -- [FILE or FOLDER…]`: runs vector files, by default the recorded ones, names each failure, ends with a count. */
function main(args: readonly string[]): number {
  let passed = 0
  let failed = 0
  for (const file of args.length > 0 ? vectorFiles(args) : recordingNames("vectors").map(recordingPath)) {
    const result = runFile(file)
    passed += result.passed
    failed += result.failed
    for (const line of result.skipped) console.log(`skipped ${line}`)
    for (const line of result.failures) console.log(`FAILED ${line}`)
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

try {
  await loadBackends()
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
