import type { TestOptions } from "vitest"

declare module "vitest" {
  interface TaskMeta {
    /** The thing whose absence is the reason why the test is skipped. `.ci/run` lists it. */
    needs?: string
  }
}

/** Returns options of a test, or of a group of tests: it is skipped, with the reason, if what it needs is not here. */
export function needs(isHere: boolean, what: string): TestOptions {
  return isHere ? {} : { skip: true, meta: { needs: what } }
}
