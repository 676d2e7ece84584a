import { expect, test } from "vitest"
import { printJson } from "../src/core/lib/json.js"
import { parseJson } from "../src/core/lib/parseJson.js"
import type { Store } from "../src/store/store.js"
import { digestOf } from "../src/tools/summary.js"
import { once } from "./fixtures/once.js"
import { avalancheGoDigest, isJudgeHere, needsJudge, type VmInputs } from "./goverify.js"

/** Runs AvalancheGo's own VM over every block of a chain by the rules in the store, and compares its last state with that of the store. */
export function expectJudged(store: Pick<Store, "latest" | "getMeta">, inputs: VmInputs = {}): void {
  const upgrades = store.getMeta("upgrades")
  const digest = avalancheGoDigest(store.latest, { ...(upgrades === undefined ? {} : { upgrades }), ...inputs })
  expect(digest).toEqual(parseJson(printJson(digestOf(store.latest))))
}

/** Makes a check that needs AvalancheGo's own VM, if that is here. The second test of `judgedTest` fails if the check does. */
export type Judge = (check: () => void) => void

/**
 * Adds a test that makes a chain, and a second one, skipped where AvalancheGo's own VM is not here, of that VM's verdict on it. The chain is
 * made once, by whichever of them is first.
 */
export function judgedTest(name: string, run: (judge: Judge) => Promise<void> | void, timeout?: number): void {
  const options = timeout === undefined ? {} : { timeout }
  const verdicts = once(async () => {
    const faults: unknown[] = []
    await run((check) => {
      if (isJudgeHere) faults.push(...faultOf(check))
    })
    return faults
  })
  test(name, options, async () => void (await verdicts()))
  test(`${name}: AvalancheGo's own VM agrees`, { ...options, ...needsJudge }, async () => {
    for (const fault of await verdicts()) throw fault
  })
}

function faultOf(check: () => void): readonly unknown[] {
  try {
    check()
    return []
  } catch (fault) {
    return [fault]
  }
}
