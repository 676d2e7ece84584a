import { expect, test } from "vitest"
import { seededRandom } from "../../../test/simulator/random.js"
import type { NodeID } from "../types/id.js"
import { DialSchedule } from "./dialSchedule.js"
import { defaultPeerSettings } from "./peerSettings.js"

const nodeID = "aa".repeat(20) as NodeID

test.each([
  ["over loopback", true, 1_000, 2_000],
  ["over the Internet", false, 10_000, 11_000],
])(
  "two nodes whose dials crossed, so that each refused the other, dial at different times the next time, %s",
  (_, isLocal, from, to) => {
    const redialOf = (seed: number) => {
      const dials = new DialSchedule(defaultPeerSettings, seededRandom(seed))
      dials.disconnected(nodeID, isLocal, 0)
      for (let now = 0; ; now++) if (dials.begin(nodeID, now)) return now
    }
    const redials = Array.from({ length: 20 }, (_, seed) => redialOf(seed))
    expect([Math.min(...redials) >= from, Math.max(...redials) <= to]).toEqual([true, true])
    expect(new Set(redials).size).toBeGreaterThan(15)
  },
)
