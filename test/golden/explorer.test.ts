import { describe, expect, test } from "vitest"
import { txsOf } from "../../src/core/blocks/block.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { clearExplorer, followChain, hasExplorerRows, pauseExplorer } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { txsOfKinds } from "../../src/core/readmodel/explorer/txQueries.js"
import type { ReadModelStore } from "../../src/core/readmodel/projection.js"
import { pastOf } from "../../src/core/state/pastReader.js"
import type { TxKind } from "../../src/core/txs/unsignedTx.js"
import { idText } from "../../src/core/types/id.js"
import { platformMethods } from "../../src/services/platform/index.js"
import type { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { BlockFacts } from "../fixtures/blockFacts.js"
import { expectExplorer } from "../fixtures/expectExplorer.js"
import { askOf } from "../fixtures/explorerAsk.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { explorerRows, OwnedHistory } from "../fixtures/ownedHistory.js"
import { replayGolden } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"

describe.each(goldenChains)("%s", (folder) => {
  const history = new OwnedHistory()
  const { store, genesis, blocks, rules } = replayGolden(folder, ({ store }, { height, kind }) => {
    // A proposal and its option change the state together; the rows count the change from the proposal on.
    if (!kind.endsWith("ProposalBlock")) history.remember(height, store.latest)
  })

  test("the balances and UTXOs of every address at every height equal those in the state of that height", async () => {
    await history.expectFound(store.latest)
  })

  test("the effects of an address's transactions add up to its balance", async () => {
    await history.expectSums(store.latest)
  })

  test("lists by kind equal the transactions in the blocks", async () => {
    const expected = new Map<TxKind, string[]>()
    for (const block of blocks.slice(1)) {
      for (const tx of txsOf(block))
        expected.set(tx.unsignedTx.kind, [idText(tx.id), ...(expected.get(tx.unsignedTx.kind) ?? [])])
    }
    for (const [kind, ids] of expected) {
      const found = (await txsOfKinds(pastOf(store.latest, neverPausing), { kinds: [kind], limit: 100_000, from: 1n })).map(
        ({ txID }) => idText(txID),
      )
      expect([kind, [...found].sort()]).toEqual([kind, [...ids].sort()])
    }
  })

  test("every method for explorers agrees with the blocks", async () => {
    const facts = new BlockFacts(blocks.slice(1), genesis)
    const node = testNode({ store, rules, genesis, methods: platformMethods })
    await expectExplorer({ facts, ask: askOf(node), hrp: hrpOf(rules.networkID) })
    await history.expectAnswered(askOf(node), hrpOf(rules.networkID))
  })

  test("rows that are added later equal the rows that were written block by block, wherever the work is interrupted", () => {
    const kept = explorerRows(store.latest)
    for (const commits of [1, 2, 4, 8]) {
      clearExplorer(store)
      expect(() => [...followChain(interruptedAfter(commits, store), { genesis, rowsAtOnce: 20 })]).toThrow("killed")
      expect([...followChain(store, { genesis, rowsAtOnce: 300 })].length).toBeGreaterThan(0)
      expect(explorerRows(store.latest)).toEqual(kept)
    }
  })

  test("rows that are paused stop at their height, and continue from it", () => {
    let reached: bigint | undefined
    const paused = replayGolden(folder, ({ store }, { height }) => {
      if (height === 12n) pauseExplorer(store)
      if (height === 12n) reached = store.latest.get(explorerTables.progress, null)?.height
    })
    const { latest } = paused.store
    expect([hasExplorerRows(latest), latest.get(explorerTables.progress, null)?.height]).toEqual([false, reached])
    for (const _ of followChain(paused.store, { genesis }));
    expect(explorerRows(latest)).toEqual(explorerRows(store.latest))
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
