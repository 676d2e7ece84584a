import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { type Block, blockOf } from "../../src/core/blocks/block.js"
import { createUntraced } from "../../src/core/readmodel/explorer/money.js"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { project } from "../../src/core/readmodel/fold.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { EXPLORER_VERSION } from "../../src/core/readmodel/versions.js"
import { addUtxo } from "../../src/core/rules/spend.js"
import { Diff } from "../../src/core/state/diff.js"
import { recordSetChanges } from "../../src/core/state/setChanges.js"
import { TxStatus, tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { executeTx } from "../../src/core/txs/execute.js"
import { txTypes } from "../../src/core/txs/index.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { openStore } from "../../src/node/openStore.js"
import { L1, NOW, SUBNET, smallRules, smallState, VALIDATOR_TX } from "../fixtures/smallChain.js"
import { blockContextWith } from "../fixtures/state.js"
import { idOfByte } from "../fixtures/txs.js"
import { validFor } from "../fixtures/validFor.js"
import { type Wide, widest } from "./widest.js"

/** Bytes that a store may grow by for each byte of transaction, pages of LMDB that are not full included. */
const MAX_RATIO = 50

/** Number of accepted transactions of one form. For a single small transaction, pages that are not full would dominate the result. */
const COPIES = 20

/** The state after a block at a height that holds this transaction, as a chain accepts it. */
function accept(view: View, tx: Tx, height: bigint, last: ReturnType<typeof validFor>["last"]): Diff {
  const diff = new Diff(view)
  const blockContext = { ...blockContextWith(smallRules(last), NOW, view), verifyPossession: () => {} }
  executeTx(tx, diff, { blockContext, price: undefined, mayReturn: true })
  diff.put(tables.txs, tx.id, { status: TxStatus.committed, height, bytes: tx.bytes })
  const block = blockOf({ kind: "BanffStandardBlock", time: NOW, parentID: idOfByte(0xee), height, txs: [tx] }) as Block
  diff.put(tables.blocks, block.id, block.bytes)
  diff.put(tables.blockIDs, height, block.id)
  diff.put(tables.lastAccepted, null, { id: block.id, height })
  recordSetChanges(diff, height)
  diff.put(explorerTables.progress, null, { version: EXPLORER_VERSION, height: height - 1n, time: NOW, isPaused: false })
  project(diff, [block])
  // The rows for explorers are measured too.
  expect(diff.get(explorerTables.progress, null)?.height).toBe(height)
  return diff
}

/** Bytes that a store grows by for each byte of transaction, with blocks of such transactions. */
function growthOf(wide: (copy: number) => Wide, last: ReturnType<typeof validFor>["last"]): number {
  const dir = mkdtempSync(join(tmpdir(), "serac-disk-"))
  const store = openStore(dir, { isLazy: true })
  const sizeOf = () => statSync(join(dir, "data.mdb")).size
  try {
    store.commit((smallState().parent as Diff).edits)
    const { tx: sample } = wide(0)
    const copies = sample.bytes.length > 20_000 ? 1 : COPIES
    const txs = Array.from({ length: copies }, (_, i) => wide(i))
    const given = new Diff(store.latest)
    // Rows that a chain has after some time: the transaction of a staker, and the sizes of its validator sets.
    given.put(tables.txs, idOfByte(0x33), { status: TxStatus.committed, height: 1n, bytes: VALIDATOR_TX.bytes })
    for (const subnetID of [L1, SUBNET]) given.put(readTables.setProgress, subnetID, { changes: 0, members: 9, since: 0n })
    for (const [, utxo] of store.latest.rows(tables.utxos)) createUntraced(given, utxo, 10n)
    for (const utxo of txs.flatMap(({ utxos }) => utxos)) {
      addUtxo({ diff: given }, utxo)
      createUntraced(given, utxo, 10n)
    }
    project(given, [blockOf({ kind: "BanffStandardBlock", time: NOW, parentID: idOfByte(0xee), height: 10n, txs: [] }) as Block])
    store.commit(given.edits)
    // Freed pages are used before the file grows: the pages of one commit, written again by the next.
    store.commit(new Map())
    const start = sizeOf()
    const all = new Diff(store.latest)
    // Each on the same state: several of one kind would exclude each other.
    for (const [i, { tx }] of txs.entries()) accept(store.latest, tx, BigInt(11 + i), last).applyTo(all)
    store.commit(all.edits)
    return (sizeOf() - start) / txs.reduce((sum, { tx }) => sum + tx.bytes.length, 0)
  } finally {
    void store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

const kinds: readonly TxKind[] = txTypes.filter((type) => "execute" in type && type.execute !== undefined).map(({ kind }) => kind)

test.each(kinds)("a %s takes at most 50 bytes of disk for each of its bytes, whichever of its lists is long", (kind) => {
  const { last } = validFor(kind)
  const ratios = Object.entries(widest(kind)).map(([what, wide]) => [what, growthOf(wide, last)] as const)
  expect(ratios.filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([])
})

test("a transaction that only a proposal holds cannot be widened", () => {
  const others = txTypes.filter(({ kind }) => !kinds.includes(kind))
  const sizes = others.map(({ kind }) => [kind, signedTxOf(validFor(kind).tx as UnsignedTx, []).bytes.length])
  expect(sizes.filter(([, size]) => Number(size) > 100)).toEqual([])
})
