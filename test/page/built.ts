import { buildSerac } from "../cli/serac.js"

let built: ReturnType<typeof buildSerac> | undefined

/** The path of a `bin/serac` with the page, built once for all test files of this worker and removed when it ends. */
export function builtSerac(): string {
  if (!built) {
    const made = buildSerac({ hasPage: true })
    process.once("exit", () => made.remove())
    // The runner of the tests ends its workers by this signal, which by itself would skip the line above.
    process.once("SIGTERM", () => process.exit(143))
    built = made
  }
  return built.bin
}
