import { expect } from "vitest"
import { printJson } from "../src/core/lib/json.js"
import { parseJson } from "../src/core/lib/parseJson.js"
import { digestOf } from "../src/node/digest.js"
import type { Store } from "../src/store/store.js"
import { avalancheGoDigest, type VmInputs } from "./goverify.js"

/**
 * Runs AvalancheGo's own VM, if it is available, over every block of a chain by the rules in the store, and compares its last state with
 * that of the store.
 */
export function judge(store: Pick<Store, "latest" | "getMeta">, inputs: VmInputs = {}): void {
  const upgrades = store.getMeta("upgrades")
  const digest = avalancheGoDigest(store.latest, { ...(upgrades === undefined ? {} : { upgrades }), ...inputs })
  if (digest !== undefined) expect(digest).toEqual(parseJson(printJson(digestOf(store.latest))))
}
