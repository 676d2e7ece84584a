import { expect } from "vitest"
import { printJson } from "../src/core/lib/json.js"
import { parseJson } from "../src/core/lib/parseJson.js"
import { digestOf } from "../src/node/digest.js"
import type { Store } from "../src/store/store.js"
import { avalancheGoDigest, type Judged } from "./goverify.js"

/**
 * Has every block of a chain judged by AvalancheGo's own VM where it is at hand, by the rules that the store keeps, and compares what it
 * makes of the last one with our state.
 */
export function judge(store: Pick<Store, "latest" | "getMeta">, judged: Judged = {}): void {
  const upgrades = store.getMeta("upgrades")
  const digest = avalancheGoDigest(store.latest, { ...(upgrades === undefined ? {} : { upgrades }), ...judged })
  if (digest !== undefined) expect(digest).toEqual(parseJson(printJson(digestOf(store.latest) as never)))
}
