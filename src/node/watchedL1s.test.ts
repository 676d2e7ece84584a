import { expect, test } from "vitest"
import { exampleChain } from "../../test/fixtures/exampleChain.js"
import { chainTimeOf } from "../core/rules/context.js"
import { parseID } from "../core/types/id.js"
import { Registry } from "../jsonrpc/metrics/registry.js"
import { registerL1Health } from "./watchedL1s.js"

const L1 = "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR"
const NO_L1 = "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka"

test("the metrics of watched L1s show the time that is left, the share that can sign, and the active validators", () => {
  const { store, rules } = exampleChain()
  const metrics = new Registry()
  const node = { now: () => chainTimeOf(store.latest) }
  registerL1Health({ metrics, node, isReady: () => true } as never, [L1, NO_L1].map(parseID), rules, store)
  const lines = metrics.print().split("\n")
  expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    `serac_l1_seconds_left{subnet="${L1}"} 0`,
    `serac_l1_signing_weight_share{subnet="${L1}"} 0.666666`,
    `serac_l1_active_validators{subnet="${L1}"} 1`,
  ])
})
