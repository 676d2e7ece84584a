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
import { openStore } from "../../src/datadir/openStore.js"
import { L1, NOW, SUBNET, smallRules, smallState, VALIDATOR_TX } from "../fixtures/smallChain.js"
import { blockContextWith } from "../fixtures/state.js"
import { idOfByte } from "../fixtures/txs.js"
import { validFor } from "../fixtures/validFor.js"
import { isSoak } from "../fuzz/random.js"
import { type Wide, widest } from "./widest.js"

/** Bytes of used pages that a store may grow by for each byte of transaction, space in pages that are not full included. */
const MAX_USED = 50

/**
 * Bytes that the file may grow by for each byte of transaction. A commit writes changed pages to new places, and pages that it frees are used
 * again by later commits.
 */
const MAX_FILE = 100

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

interface Growth {
  readonly used: number
  readonly file: number
}

/** Bytes that a store grows by for each byte of transaction, with blocks of such transactions, all in one commit or each in its own. */
async function growthOf(
  wide: (copy: number) => Wide,
  { last, copies, commits }: { last: ReturnType<typeof validFor>["last"]; copies: number; commits: "one" | "each" },
): Promise<Growth> {
  const dir = mkdtempSync(join(tmpdir(), "serac-disk-"))
  const store = openStore(join(dir, "chain"), { isLazy: true })
  const sizesOf = async (name: string): Promise<Growth> => {
    // A backup has the used pages only.
    await store.backup(join(dir, name))
    return { used: statSync(join(dir, name, "data.mdb")).size, file: statSync(join(dir, "chain", "data.mdb")).size }
  }
  try {
    store.commit((smallState().parent as Diff).edits)
    const txs = Array.from({ length: copies }, (_, i) => wide(i))
    const given = new Diff(store.latest)
    // Rows that a chain has after some time: the transaction of a staker, and the sizes of its validator sets.
    given.put(tables.txs, idOfByte(0x33), { status: TxStatus.committed, height: 1n, bytes: VALIDATOR_TX.bytes })
    for (const subnetID of [L1, SUBNET]) given.put(readTables.setProgress, subnetID, { changes: 0, members: 9, since: 0n })
    for (const [, utxo] of store.latest.rows(tables.utxos)) createUntraced(given, [utxo], 10n)
    for (const utxo of txs.flatMap(({ utxos }) => utxos)) {
      addUtxo({ diff: given }, utxo)
      createUntraced(given, [utxo], 10n)
    }
    project(given, [blockOf({ kind: "BanffStandardBlock", time: NOW, parentID: idOfByte(0xee), height: 10n, txs: [] }) as Block])
    store.commit(given.edits)
    // Freed pages are used before the file grows: the pages of one commit, written again by the next.
    store.commit(new Map())
    const before = await sizesOf("before")
    const start = store.latest
    const all = new Diff(start)
    for (const [i, { tx }] of txs.entries()) {
      // With one commit each is executed on the same state: several of one kind would exclude each other.
      const diff = accept(commits === "one" ? start : store.latest, tx, BigInt(11 + i), last)
      if (commits === "one") diff.applyTo(all)
      else store.commit(diff.edits)
    }
    store.commit(all.edits)
    const after = await sizesOf("after")
    const bytes = txs.reduce((sum, { tx }) => sum + tx.bytes.length, 0)
    return { used: (after.used - before.used) / bytes, file: (after.file - before.file) / bytes }
  } finally {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

const kinds: readonly TxKind[] = txTypes.filter((type) => "execute" in type && type.execute !== undefined).map(({ kind }) => kind)

test.each(kinds)("a %s takes at most 50 bytes of disk for each of its bytes, whichever of its lists is long", async (kind) => {
  const { last } = validFor(kind)
  for (const [what, wide] of Object.entries(widest(kind))) {
    const copies = wide(0).tx.bytes.length > 20_000 ? 1 : COPIES
    const { used, file } = await growthOf(wide, { last, copies, commits: "one" })
    expect({ what, used, isBounded: used <= MAX_USED && file <= MAX_USED }).toEqual({ what, used, isBounded: true })
  }
})

test("blocks of wide payments on a new chain, each in its own commit, take at most 50 bytes of used pages and 100 of the file", async () => {
  const { last } = validFor("BaseTx")
  for (const [what, wide] of Object.entries(widest("BaseTx")).filter(([what]) => what.startsWith("300 "))) {
    for (const copies of isSoak ? [1, 5, 10, 20, 40] : [10]) {
      const { used, file } = await growthOf(wide, { last, copies, commits: "each" })
      expect({ what, copies, used, file, isBounded: used <= MAX_USED && file <= MAX_FILE }).toMatchObject({ isBounded: true })
    }
  }
})

test("a transaction that only a proposal holds cannot be widened", () => {
  const others = txTypes.filter(({ kind }) => !kinds.includes(kind))
  const sizes = others.map(({ kind }) => [kind, signedTxOf(validFor(kind).tx as UnsignedTx, []).bytes.length])
  expect(sizes.filter(([, size]) => Number(size) > 100)).toEqual([])
})
