import { test } from "vitest"

/** Adds a skipped test with a message when recorded facts are absent: a test file without any test fails. */
export function noteMissing(isHere: boolean, facts: string): void {
  if (!isHere) test.skipIf(true)(`needs ${facts}, which is not part of the project`, () => {})
}
