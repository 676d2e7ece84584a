import { expect, test } from "vitest"
import { type Block, txsOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { applyGenesis } from "../../src/core/genesis/apply.js"
import { Diff } from "../../src/core/state/diff.js"
import { allTables, tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { emptyView } from "../../src/core/state/view.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

const network = localNetwork()
const blocks = [...longChain(network, 60, 0n)]

/** Number of diffs through which a view reads. */
function depthOf(view: View | undefined): number {
  if (view && "present" in view) return depthOf(view.present as View)
  return view instanceof Diff ? 1 + depthOf(view.parent) : 0
}

/** A chain at genesis over a store in memory. */
function atGenesis() {
  const store = new MemoryStore()
  const genesis = new Diff(emptyView)
  applyGenesis(genesis, network.genesis, network.rules)
  store.commit(genesis.edits)
  return { store, chain: new Chain({ rules: network.rules, state: store, trustSignatures: true }) }
}

const timeOf = (block: Block) => (block.kind === "BanffStandardBlock" ? block.time : 0n)

/**
 * Accepts all blocks but those that stay undecided. Returns the largest number of diffs through which the state after the newest block read,
 * and the rows of the store.
 */
function run({ undecided, blocksInFlush }: { readonly undecided: number; readonly blocksInFlush: number }) {
  const { store, chain } = atGenesis()
  let depth = 0
  blocks.forEach((block, i) => {
    chain.verify(block, { now: timeOf(block) })
    depth = Math.max(depth, depthOf(chain.stateAfter(block.id)))
    if (i >= undecided) chain.accept((blocks[i - undecided] as Block).id)
    if (i % blocksInFlush === 0) chain.flush()
  })
  for (const { id } of blocks.slice(blocks.length - undecided)) chain.accept(id)
  chain.flush()
  return { depth, rows: allTables.map((table) => [...store.latest.rows(table)]) }
}

const { rows } = run({ undecided: 0, blocksInFlush: 1 })

test.each([
  [1, 1],
  [1, 7],
  [3, 1],
  [3, 7],
])(
  "while %i blocks are always undecided and %i are written at once, a view reads through few diffs",
  (undecided, blocksInFlush) => {
    const result = run({ undecided, blocksInFlush })
    // The diff of each undecided block, that of the newest, and those of the accepted blocks that are not written.
    expect(result.depth).toBeLessThanOrEqual(undecided + 2)
    expect(result.rows).toEqual(rows)
  },
)

test("a block is found from its verification to its decision, and its transactions in the state after it", () => {
  const { chain } = atGenesis()
  const [first, second] = blocks as [Block, Block]
  const found = () => [first, second].map(({ id }) => chain.undecidedBlock(id)?.id)
  expect(found()).toEqual([undefined, undefined])
  for (const block of [first, second]) chain.verify(block, { now: timeOf(block) })
  expect(found()).toEqual([first.id, second.id])
  const [tx] = txsOf(second)
  expect(chain.stateAfter(second.id)?.get(tables.txs, tx!.id)).toBeDefined()
  chain.accept(first.id)
  expect(found()).toEqual([undefined, second.id])
})
