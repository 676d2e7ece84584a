import { resolve } from "node:path"
import { runFile, vectorFiles } from "./run.js"

/** `npm run -s vectors -- [FILE or FOLDER…]`: runs vector files, names each failure, ends with a count. */
function main(args: readonly string[]): number {
  const paths = args.length > 0 ? args : [resolve(import.meta.dirname ?? ".", "../../../shared/vectors")]
  let passed = 0
  let failed = 0
  for (const file of vectorFiles(paths)) {
    const result = runFile(file)
    passed += result.passed
    failed += result.failures.length
    for (const line of result.skipped) console.log(`skipped ${line}`)
    for (const line of result.failures) console.log(`FAILED ${line}`)
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
