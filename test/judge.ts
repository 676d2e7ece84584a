import { expect } from "vitest"
import { parseJson, printJson } from "../src/core/lib/json.js"
import type { View } from "../src/core/state/view.js"
import { digestOf } from "../src/node/digest.js"
import { avalancheGoDigest, type Judged } from "./goverify.js"

/** Has every block of a chain judged by AvalancheGo's own VM where it is at hand, and compares what it makes of the last one with our state. */
export function judge(view: View, judged: Judged = {}): void {
  const digest = avalancheGoDigest(view, judged)
  if (digest !== undefined) expect(digest).toEqual(parseJson(printJson(digestOf(view) as never)))
}
