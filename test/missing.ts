import { test } from "vitest"

/** Where recorded facts are not here, a skipped test that says so stands for those that need them: a file without any fails. */
export function noteMissing(isHere: boolean, facts: string): void {
  if (!isHere) test.skipIf(true)(`needs ${facts}, which is not part of the project`, () => {})
}
