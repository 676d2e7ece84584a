import { expect, test } from "vitest"
import { localStakers } from "../../core/genesis/localStakers.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { nodeTables, tablesBesideChain, uptimes as uptimeRows } from "../../datadir/nodeTables.js"
import { openCopy } from "../../datadir/storedChain.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { PeerUptimes } from "./peerUptimes.js"

const [own, validator, absent] = localStakers.map(({ nodeID }) => nodeID) as [NodeID, NodeID, NodeID]
const stranger = "ee".repeat(20) as NodeID

/** A store with the local network's genesis, and when its validators began. */
function localStore() {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const { genesis } = openCopy(store, { networkID: 12345, now: 1_794_710_000n })
  return { store, start: genesis.timestamp }
}

test("validators count as online until the chain is followed, and then while they are connected", () => {
  const { store, start } = localStore()
  const uptimes = new PeerUptimes(store, own, start + 50n)
  expect(uptimes.of(absent, start + 100n)).toEqual({ connected: false, uptime: 1 })
  uptimes.connected(validator, start + 60n)
  uptimes.connected(stranger, start + 60n)
  uptimes.startTracking(start + 100n)
  const all = [own, validator, absent, stranger]
  expect(all.map((nodeID) => uptimes.of(nodeID, start + 200n))).toEqual([
    { connected: true, uptime: 1 },
    { connected: true, uptime: 1 },
    { connected: false, uptime: 0.5 },
    { connected: true, uptime: 0 },
  ])
  uptimes.disconnected(validator, start + 200n)
  expect(uptimes.of(validator, start + 400n)).toEqual({ connected: false, uptime: 0.5 })
})

test("counted uptimes survive a restart, and the time between counts as online for all validators", () => {
  const { store, start } = localStore()
  const before = new PeerUptimes(store, own, start)
  before.startTracking(start)
  before.stop(start + 100n)
  const after = new PeerUptimes(store, own, start + 150n)
  after.startTracking(start + 200n)
  expect(after.of(absent, start + 200n).uptime).toBe(0.5)
})

test("the uptime of each validation starts at zero", () => {
  const { store, start } = localStore()
  const uptimes = new PeerUptimes(store, own, start)
  uptimes.startTracking(start)
  uptimes.connected(validator, start + 50n)
  expect(uptimes.of(validator, start + 100n).uptime).toBe(0.5)
  const key = { subnetID: PRIMARY_NETWORK_ID, nodeID: validator }
  const diff = new Diff(store.latest)
  diff.put(tables.currentValidators, key, { ...store.latest.get(tables.currentValidators, key)!, startTime: start + 100n })
  store.commit(diff.edits)
  expect(uptimes.of(validator, start + 200n)).toEqual({ connected: true, uptime: 1 })
})

test("uptimes are written every minute of a clock that cannot be set, also after the machine's clock was set back", () => {
  const { store, start } = localStore()
  const uptimes = new PeerUptimes(store, own, start)
  const written = () => store.latest.get(uptimeRows, validator)
  uptimes.startTracking(start + 86_400n)
  uptimes.tick(1_000)
  expect(written()).toEqual({ upDuration: 86_400n, lastUpdated: start + 86_400n, startTime: start })
  uptimes.connected(validator, start + 86_400n)
  uptimes.disconnected(validator, start + 86_410n)
  // Now the clock is set back by a day.
  uptimes.tick(60_999)
  expect(written()?.upDuration).toBe(86_400n)
  uptimes.tick(61_000)
  expect(written()?.upDuration).toBe(86_410n)
})
