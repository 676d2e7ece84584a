import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { silentLog } from "../core/lib/log.js"
import { heightOf } from "../core/state/tables.js"
import type { IndexedView } from "../core/state/view.js"
import { nodeError } from "../datadir/errors.js"
import { type StoredChain, storedChain } from "../datadir/storedChain.js"
import { localIdentity } from "../node/identity/identity.js"
import { systemTimers } from "../node/timers.js"
import { bls } from "../platform/backends.js"
import { openClock } from "../producer/clock/storedClock.js"
import { hostedTables } from "../producer/tables.js"
import { askAccounts, askQuantity, type EvmRpc, evmRpcOf } from "../relay/evmRpc.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { OverlayStore } from "../store/overlay/overlayStore.js"
import { overlayTablesOf } from "../store/overlay/overlayView.js"
import type { Store } from "../store/store.js"
import type { HostPorts } from "../vmhost/chainRun.js"
import { PluginClock } from "../vmhost/plugin/pluginClock.js"
import { requirePlugin } from "../vmhost/plugin/pluginFiles.js"
import { tryChain } from "../vmhost/startChain.js"
import { fundsOfGenesis, isCChain, WEI, weiOfGenesis } from "./cChainRecord.js"
import { recordsIn } from "./chainRecord.js"
import { aliasPorts, genesisOf, setupOf } from "./hostedChain.js"
import { HostedDatabase } from "./hostedDatabase.js"
import { fundsIn } from "./sharedMemory.js"
import { SnapshotRoom } from "./snapshotRoom.js"

/** The most that a VM may write while its accounts are read, bytes. */
const MAX_WRITTEN = 2 ** 30

/**
 * Returns the sum of all accounts of an EVM chain after a block, wei; `undefined` if its VM lists no accounts. Throws the other errors of the
 * RPC.
 */
export async function sumOfAccounts(rpc: EvmRpc, block: bigint): Promise<bigint | undefined> {
  let sum = 0n
  let from: string | undefined = "0x"
  while (from !== undefined) {
    const page = await askAccounts(rpc, block, from)
    if (!page) return undefined
    for (const balance of page.balances) sum += balance
    from = page.next
  }
  return sum
}

/**
 * Compares the accounts of the C-Chain in a store with its ledger: what they had at genesis, what they got by imports, and what they paid for
 * exports. Its VM runs on the stored rows for that, and what it writes is forgotten. Returns what was found as a sentence; `undefined` if there
 * is no C-Chain. Throws `node.damaged` if the accounts have more, and `vm.*`.
 */
export async function checkCChainAccounts(store: Store, pluginDir: string | undefined): Promise<string | undefined> {
  const data = storedChain(store)
  const record = recordsIn(store.latest).find(isCChain)
  if (!record) return undefined
  if (pluginDir === undefined) return "the accounts of the C-Chain were not summed: --plugin-dir names no plugin for it"
  const overlayTables = overlayTablesOf([hostedTables.rows, hostedTables.notes])
  const own = new MemoryStore({ tables: [...overlayTables.values()] })
  const above = new OverlayStore({ base: store, own, overlayTables, tablesBesideChain: [] })
  const room = new SnapshotRoom(0, () => {})
  const { chainID } = record
  const database = new HostedDatabase({
    chainID,
    store: above,
    commit: (edits) => above.commit(edits),
    room,
    maxBytes: MAX_WRITTEN,
  })
  const genesis = genesisOf(store.latest, chainID)
  // The chain may be ahead of this machine's time.
  const clock = new PluginClock()
  clock.set(openClock(store, Date.now, {}, silentLog).state)
  const dataDir = mkdtempSync(join(tmpdir(), "serac-c-chain-"))
  try {
    const { accounts, height } = await tryChain(
      {
        path: requirePlugin(pluginDir, record.vmID).path,
        clock,
        setup: setupOf(record, { data, identity: localIdentity(0) }, { dataDir, genesis }),
        scratchDir: dataDir,
        database,
        ports: readingPorts(store.latest, data),
        ending: new AbortController().signal,
        onLine: () => {},
      },
      async ({ handlers }) => {
        const rpc = evmRpcOf({ handler: (path) => handlers.get(path) })
        const last = rpc && (await askQuantity(rpc, "eth_blockNumber", []))
        return { height: last, accounts: last === undefined ? undefined : await sumOfAccounts(rpc as EvmRpc, last) }
      },
    )
    if (accounts === undefined) return "the accounts of the C-Chain were not summed: its VM lists no accounts"
    const genesisFunds = fundsOfGenesis(genesis)
    const ledger = weiOfGenesis(genesis) + ((fundsIn(database) ?? genesisFunds) - genesisFunds) * WEI
    const found = `the accounts of the C-Chain have ${accounts} wei after block ${height}`
    if (accounts > ledger) throw nodeError("node.damaged", { fault: `${found}, and ${ledger} by its imports and exports` })
    return accounts === ledger
      ? `${found}, as its imports and exports say`
      : `${found}; its contracts have burned ${ledger - accounts}`
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What a VM needs of a node whose P-Chain stands still, and that makes no blocks. */
function readingPorts(view: IndexedView, { genesis }: StoredChain): HostPorts {
  const height = () => heightOf(view)
  return {
    pChain: { view: () => view, height, minimumHeight: height },
    aliases: aliasPorts(() => [], genesis),
    hasLag: false,
    sign: (message) => bls().sign(localIdentity(0).secret, message),
    signerOf: () => undefined,
    blockMode: () => ({ mode: "manual" }),
    now: Date.now,
    after: systemTimers.after,
    onFault: () => {},
    log: silentLog,
  }
}
