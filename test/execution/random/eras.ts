import type { Upgrades } from "../../../src/core/networks/upgrades.js"
import { upgradesThrough } from "../../fixtures/state.js"
import { START } from "./genesis.js"
import { type BlockShape, blockShapes } from "./shapes.js"

/** A schedule with an upgrade about every 100 seconds, or in this part of the time. */
export function passing(part = 1n): Upgrades {
  const upgrades = upgradesThrough("cortina")
  const after = (seconds: bigint) => START + seconds / part
  const times = { durango: after(200n), etna: after(400n), fortuna: after(450n), granite: after(500n), helicon: after(600n) }
  return { ...upgrades, times: { ...upgrades.times, ...times } }
}

const [returns, lasts, runsOut, swept, unpaid] = blockShapes

/** Schedules of private chains, with the shapes of blocks that are possible under each. */
export const privateEras: readonly (readonly [string, Upgrades, readonly BlockShape[]])[] = [
  ["before Durango", upgradesThrough("cortina"), [unpaid]],
  ["under Durango", upgradesThrough("durango"), [unpaid]],
  ["under Granite", upgradesThrough("granite"), [lasts, runsOut, swept]],
  ["under Helicon", upgradesThrough("helicon"), [returns, lasts, runsOut, swept]],
  ["through all upgrades", passing(4n), blockShapes],
]
