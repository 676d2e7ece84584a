import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Block, decodeBlock } from "../src/core/blocks/block.js"
import { Chain } from "../src/core/chain/chain.js"
import { applyGenesis } from "../src/core/genesis/apply.js"
import { Diff } from "../src/core/state/diff.js"
import { tables } from "../src/core/state/tables.js"
import { emptyView } from "../src/core/state/view.js"
import type { Address } from "../src/core/types/address.js"
import { type ID, idOf } from "../src/core/types/id.js"
import { utxoID } from "../src/core/types/utxo.js"
import { openLmdbStore } from "../src/store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../src/store/memory/memoryStore.js"
import type { Store } from "../src/store/store.js"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import type { Report } from "./harness.js"

const BLOCKS = 20_000
const GROUP = 512
const FILL_GROUP = 20_000

/** Blocks per second through the chain and the store, one small transaction a block. */
export const replayReports: readonly Report[] = [
  {
    name: "replay",
    async run(print) {
      const network = localNetwork()
      const blocks = [...longChain(network, BLOCKS)].map(({ bytes }) => bytes)
      for (const [name, trustSignatures, onDisk] of [
        ["memory, signatures trusted", true, false],
        ["memory, signatures checked", false, false],
        ["disk, signatures trusted", true, true],
        ["disk, signatures checked", false, true],
      ] as const) {
        await withStore(onDisk, (store) => {
          const { perSecond } = replayOn(store, network, blocks, trustSignatures)
          print(`replay, ${name}: ${Math.round(perSecond).toLocaleString("en")} blocks/s`)
        })
      }
    },
  },
  {
    name: "replay as the UTXO set grows",
    async run(print) {
      const network = localNetwork()
      const blocks = [...longChain(network, BLOCKS / 4)].map(({ bytes }) => bytes)
      const times: number[] = []
      for (const utxos of [10_000, 100_000, 1_000_000]) {
        await withStore(true, (store) => {
          const { perSecond } = replayOn(store, network, blocks, true, utxos)
          times.push(1e6 / perSecond)
          const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
          print(
            `replay on ${utxos.toLocaleString("en")} UTXOs, disk: ${(1e6 / perSecond).toFixed(0)} µs a block, RSS ${memory} MiB`,
          )
        })
      }
      print(`replay: a block on 1,000,000 UTXOs takes ${(times[2]! / times[0]!).toFixed(2)} times what it takes on 10,000`)
    },
  },
]

async function withStore(onDisk: boolean, use: (store: Store) => void): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const store = onDisk ? openLmdbStore({ dir, isLazy: true }) : new MemoryStore()
  try {
    use(store)
  } finally {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

function replayOn(
  store: Store,
  { genesis, rules }: ReturnType<typeof localNetwork>,
  blocks: readonly Uint8Array[],
  trustSignatures: boolean,
  utxos = 0,
): { perSecond: number } {
  const diff = new Diff(emptyView)
  applyGenesis(diff, genesis, rules)
  store.commit(diff.edits)
  fill(store, utxos, rules.avaxAssetID)
  const chain = new Chain({ rules, state: store, trustSignatures })
  const started = performance.now()
  for (const [i, bytes] of blocks.entries()) {
    const block = decodeBlock(bytes) as Extract<Block, { time: bigint }>
    chain.verify(block, { now: block.time })
    chain.accept(block.id)
    if (i % GROUP === GROUP - 1) chain.flush()
  }
  chain.flush()
  return { perSecond: (blocks.length * 1000) / (performance.now() - started) }
}

/**
 * Adds UTXOs of other owners, with IDs spread over the table. They are written in the order of the IDs, because large commits all over the
 * tree would leave LMDB a long list of free pages that every later commit searches; a growing chain does not have such a list.
 */
function fill(store: Store, count: number, assetID: ID): void {
  const address = "ab".repeat(20) as Address
  const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses: [address] }
  const txIDs = new Map(
    Array.from({ length: count }, (_, i) => idOf(Buffer.from(String(i)))).map((txID) => [utxoID(txID, 0), txID]),
  )
  const ids = [...txIDs.keys()].sort()
  for (let from = 0; from < count; from += FILL_GROUP) {
    const diff = new Diff(store.latest)
    for (const id of ids.slice(from, from + FILL_GROUP)) {
      diff.insert(tables.utxos, id, { txID: txIDs.get(id) as ID, outputIndex: 0, assetID, output })
    }
    store.commit(diff.edits)
  }
}
