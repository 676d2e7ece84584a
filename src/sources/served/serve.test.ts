import { expect, onTestFinished, test, vi } from "vitest"
import { nodeClient } from "../../client/client.js"
import { LOCAL_START_TIME } from "../../core/genesis/local.js"
import { ewoq } from "../../core/genesis/testKeys.js"
import { silentLog } from "../../core/lib/log.js"
import { LOCAL_ID } from "../../core/networks/names.js"
import { addUtxo } from "../../core/rules/spend.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { valuesOf } from "../../core/state/view.js"
import type { Utxo } from "../../core/types/utxo.js"
import { nodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { openCopy } from "../../datadir/storedChain.js"
import type { HttpOptions } from "../../jsonrpc/http/options.js"
import { startNode } from "../../node/node.js"
import { devTables } from "../../producer/tables.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { SCHEMA } from "../../store/meta.js"
import { servedNodeChain } from "./serve.js"

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

/** A server of a new chain in a store that another process may change, and the faults in its log. */
async function servedStore(http?: Partial<HttpOptions>) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const choice = { networkID: LOCAL_ID, now: LOCAL_START_TIME }
  openCopy(store, choice)
  store.putMeta({ schema: SCHEMA })
  const faults: unknown[] = []
  const options = {
    isPublic: true,
    dialect: "contract" as const,
    http,
    log: { ...silentLog, error: (event: string, fields?: { where?: unknown }) => void faults.push([event, fields?.where]) },
    wall: () => Number(LOCAL_START_TIME) * 1000,
  }
  const served = await startNode(store, { ...options, reader: { isSignedIn: true } }, servedNodeChain)
  served.failed.catch((error) => expect.unreachable(error.message))
  onTestFinished(() => served.stop())
  return { store, served, faults }
}

test("a server of a chain that another process overrides does not answer from before the override", async () => {
  const { store, served } = await servedStore()
  const call = nodeClient(async (path, body) =>
    Buffer.concat((await served.api.handle(path, Buffer.from(body)))?.body ?? []).toString(),
  )
  const balance = async () => (await call("platform.getBalance", { addresses: [EWOQ] })).unlocked
  const before = await balance()
  expect([await balance(), await balance()]).toEqual([before, before])
  // The store changes as if another process had changed it, without an event.
  const isUnlocked = ({ output }: Utxo) => output.kind === "TransferOutput" && output.addresses.includes(ewoq.address)
  const utxo = { ...[...valuesOf(store.latest.rows(tables.utxos))].find(isUnlocked)!, outputIndex: 99 }
  const diff = new Diff(store.latest)
  addUtxo({ diff }, utxo)
  diff.put(devTables.overrides, 0n, { height: 0n, override: { kind: "utxo", utxo } })
  store.commit(diff.edits)
  // The question is asked before a timer can look at the store.
  expect(await balance()).not.toBe(before)
})

test("a fault while a change of the chain is reported is counted, and the server continues", async () => {
  const { store, served, faults } = await servedStore()
  let changes = 0
  served.api.node.onAccepted(() => {
    if (changes++ === 0) throw new TypeError("a fault")
  })
  for (let i = 0n; i < 2n; i++) {
    const diff = new Diff(store.latest)
    diff.put(devTables.overrides, i, {
      height: 0n,
      override: { kind: "utxo", utxo: [...valuesOf(store.latest.rows(tables.utxos))][0]! },
    })
    store.commit(diff.edits)
    await vi.waitFor(() => expect(changes).toBe(Number(i) + 1))
  }
  expect(faults).toEqual([["an error inside Serac", "report of a change of the chain"]])
  expect(served.api.metrics.print()).toContain("serac_faults_total 1\n")
})

test("a server that cannot start does not go on to look at its store", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] })
  onTestFinished(() => void vi.useRealTimers())
  const chainProxies = [{ chain: "X", url: "http://127.0.0.1:1" }]
  await expect(servedStore({ chainProxies })).rejects.toMatchObject({ code: "node.bad_proxied_chain" })
  expect(vi.getTimerCount()).toBe(0)
})
