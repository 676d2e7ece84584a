import { expect, test } from "vitest"
import { peerIdentity } from "../../../test/fixtures/peerIdentity.js"
import { peersOptions, silentPort } from "../../../test/fixtures/peersOptions.js"
import { usedMemory } from "../../../test/fixtures/usedMemory.js"
import { seededRandom } from "../../../test/simulator/random.js"
import { silentLog } from "../lib/log.js"
import type { NodeID } from "../types/id.js"
import { BootstrapperLog } from "./bootstrapperLog.js"
import { Peers } from "./peers.js"

const STRANGERS = 20_000

test("nothing is kept of strangers that were connected", () => {
  const own = peerIdentity("own")
  const peers = new Peers(peersOptions(own, 9651, seededRandom(1)), silentPort)
  const log = new BootstrapperLog([], silentLog)
  const before = usedMemory()
  for (let i = 0; i < STRANGERS; i++) {
    const nodeID = i.toString(16).padStart(40, "e") as NodeID
    const id = peers.open({ ...own, nodeID }, { ip: Uint8Array.of(8, 8, 8, 8), port: 1 }, i, true)
    log.connected(nodeID)
    peers.charge(nodeID, 1, i)
    peers.closed(id, i)
    log.closedByPeer(nodeID)
    log.closedByPeer(`${nodeID.slice(1)}f` as NodeID)
  }
  expect(usedMemory() - before).toBeLessThan(10 * STRANGERS)
  expect([peers.status(), log.closedByPeer(own.nodeID)]).toEqual([[], undefined])
})
