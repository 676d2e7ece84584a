import { describe, expect, test } from "vitest"
import { txsOf } from "../../src/core/blocks/block.js"
import { doNow } from "../../src/core/lib/work.js"
import { balancesAt, utxosAt } from "../../src/core/readmodel/explorer/moneyQueries.js"
import { clearExplorer, followChain, hasExplorerRows, pauseExplorer } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { explorerTableList, explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { txsOfAddresses, txsOfKinds } from "../../src/core/readmodel/explorer/txQueries.js"
import type { ReadModelStore } from "../../src/core/readmodel/fold.js"
import { addressesOf } from "../../src/core/readmodel/owners.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import type { TxKind } from "../../src/core/txs/unsignedTx.js"
import type { Address } from "../../src/core/types/address.js"
import { type ID, idText } from "../../src/core/types/id.js"
import { unlocked } from "../../src/core/types/output.js"
import { utxoID } from "../../src/core/types/utxo.js"
import type { MemoryStore } from "../../src/store/memoryStore.js"
import { replayGolden } from "../fixtures/readModel.js"
import { noteMissing } from "../missing.js"
import { hasShared } from "../shared.js"

const folders = ["local-v1.13.0", "local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"].filter((name) =>
  hasShared(`golden/${name}/record.json`),
)

noteMissing(folders.length > 0, "../shared/golden")

describe.each(folders)("%s", (folder) => {
  /** Height → address → its UTXOs as the state had them. */
  const owned = new Map<bigint, Map<Address, Map<ID, { assetID: ID; amount: bigint }>>>()
  const { store, genesis, blocks } = replayGolden(folder, ({ store }, { height }) => {
    if (store.latest.get(tables.blockIDs, height)) owned.set(height, ownedUtxos(store.latest))
  })
  const last = [...owned.keys()].at(-1) as bigint
  const everybody = new Set([...owned.values()].flatMap((each) => [...each.keys()]))

  test("the balances and UTXOs of every address at every height are those that the state had then", () => {
    for (const [height, byAddress] of owned) {
      // A proposal and its option change the state together; the rows count the change from the proposal on.
      if (isProposal(blocks[Number(height)])) continue
      for (const address of everybody) {
        const expected = byAddress.get(address) ?? new Map()
        const found = doNow(utxosAt(store.latest, { address, height, limit: 10_000 }))
        const ids = found.utxos.map(({ txID, outputIndex }) => utxoID(txID, outputIndex)).sort()
        expect([height, address, ids]).toEqual([height, address, [...expected.keys()].sort()])
        const balances = balancesAt(store.latest, address, height).map(({ assetID, amount }) => [assetID, amount])
        expect([height, address, Object.fromEntries(balances)]).toEqual([height, address, sumsOf(expected.values())])
      }
    }
  })

  test("the effects of an address's transactions add up to its balance", () => {
    for (const address of everybody) {
      const sums: Record<string, bigint> = {}
      for (const { assetID, amount } of balancesAt(store.latest, address, 0n)) sums[assetID] = amount
      for (const { effects } of doNow(txsOfAddresses(store.latest, [address], { kinds: [], limit: 100_000 })).events) {
        for (const { assetID, received, sent } of effects) sums[assetID] = (sums[assetID] ?? 0n) + received - sent
      }
      for (const [asset, sum] of Object.entries(sums)) if (sum === 0n) delete sums[asset]
      expect([address, sums]).toEqual([address, sumsOf(owned.get(last)?.get(address)?.values() ?? [])])
    }
  })

  test("lists by kind are what the blocks hold", () => {
    const expected = new Map<TxKind, string[]>()
    for (const block of blocks.slice(1)) {
      for (const tx of txsOf(block))
        expected.set(tx.unsignedTx.kind, [idText(tx.id), ...(expected.get(tx.unsignedTx.kind) ?? [])])
    }
    for (const [kind, ids] of expected) {
      const found = txsOfKinds(store.latest, { kinds: [kind], limit: 100_000, from: 1n }).map(({ txID }) => idText(txID))
      expect([kind, [...found].sort()]).toEqual([kind, [...ids].sort()])
    }
  })

  test("rows that are added later are those that were kept block by block, whenever adding them is interrupted", () => {
    const kept = rowsOf(store.latest)
    for (const commits of [1, 2, 4, 8]) {
      clearExplorer(store)
      expect(() => followChain(interruptedAfter(commits, store), { genesis, rowsAtOnce: 20 })).toThrow("killed")
      followChain(store, { genesis, rowsAtOnce: 300 })
      expect(rowsOf(store.latest)).toEqual(kept)
    }
  })

  test("rows that pause follow no further, and go on from there", () => {
    let reached: bigint | undefined
    const paused = replayGolden(folder, ({ store }, { height }) => {
      if (height === 12n) pauseExplorer(store)
      if (height === 12n) reached = store.latest.get(explorerTables.progress, null)?.height
    })
    const { latest } = paused.store
    expect([hasExplorerRows(latest), latest.get(explorerTables.progress, null)?.height]).toEqual([false, reached])
    followChain(paused.store, { genesis })
    expect(rowsOf(latest)).toEqual(rowsOf(store.latest))
  })
})

/** A store that fails at a commit, as a process does that is killed. */
function interruptedAfter(commits: number, store: MemoryStore): ReadModelStore {
  let left = commits
  return {
    get latest() {
      return store.latest
    },
    commit(edits, options) {
      if (left-- === 0) throw new Error("killed")
      store.commit(edits, options)
    },
  }
}

function isProposal(block: { readonly kind: string } | undefined): boolean {
  return block?.kind.endsWith("ProposalBlock") === true
}

function ownedUtxos(view: View): Map<Address, Map<ID, { assetID: ID; amount: bigint }>> {
  const all = new Map<Address, Map<ID, { assetID: ID; amount: bigint }>>()
  for (const [id, utxo] of view.rows(tables.utxos)) {
    for (const address of addressesOf(utxo)) {
      const own = all.get(address) ?? new Map()
      own.set(id, { assetID: utxo.assetID, amount: unlocked(utxo.output).amount })
      all.set(address, own)
    }
  }
  return all
}

function sumsOf(utxos: Iterable<{ readonly assetID: ID; readonly amount: bigint }>): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { assetID, amount } of utxos) sums[assetID] = (sums[assetID] ?? 0n) + amount
  return sums
}

function rowsOf(view: View): Record<string, unknown> {
  return Object.fromEntries(
    explorerTableList.map((table) => [table.name, [...view.rows(table)].map(([key, row]) => [table.key.toText(key), row])]),
  )
}
