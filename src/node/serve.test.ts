import { expect, test } from "vitest"
import { LOCAL_START_TIME } from "../core/genesis/local.js"
import { ewoq } from "../core/genesis/testKeys.js"
import { silentLog } from "../core/lib/log.js"
import { LOCAL_ID } from "../core/networks/names.js"
import { addUtxo } from "../core/rules/spend.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { Utxo } from "../core/types/utxo.js"
import { devTables } from "../producer/tables.js"
import { MemoryStore } from "../store/memoryStore.js"
import { SCHEMA } from "../store/meta.js"
import { openChainData } from "./chainData.js"
import { nodeClient } from "./client.js"
import { startNode } from "./node.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

test("a server of a chain that another process overrides does not answer from before the override", async () => {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const choice = { networkID: LOCAL_ID, startTime: LOCAL_START_TIME, now: LOCAL_START_TIME }
  openChainData(store, choice)
  store.putMeta({ schema: SCHEMA })
  const served = await startNode({
    store,
    mode: "serve",
    choice,
    follows: { onLost: (error) => expect.unreachable(error.message), isSignedIn: true },
    isPublic: true,
    dialect: "contract",
    log: silentLog,
    wall: () => Number(LOCAL_START_TIME) * 1000,
  })
  const call = nodeClient(async (path, body) =>
    Buffer.concat((await served.api.handle(path, Buffer.from(body)))?.body ?? []).toString(),
  )
  const balance = async () => (await call("platform.getBalance", { addresses: [EWOQ] })).unlocked
  const before = await balance()
  expect([await balance(), await balance()]).toEqual([before, before])
  // The store changes as if another process had changed it, without an event.
  const isUnlocked = ({ output }: Utxo) => output.kind === "TransferOutput" && output.addresses.includes(ewoq.address)
  const utxo = { ...[...store.latest.values(tables.utxos)].find(isUnlocked)!, outputIndex: 99 }
  const diff = new Diff(store.latest)
  addUtxo({ diff }, utxo)
  diff.put(devTables.overrides, 0n, { height: 0n, override: { kind: "utxo", utxo } })
  store.commit(diff.edits)
  // The question is asked before a timer can look at the store.
  expect(await balance()).not.toBe(before)
  await served.stop()
})
