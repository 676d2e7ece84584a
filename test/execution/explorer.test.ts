import { expect, test } from "vitest"
import { type Block, txsOf } from "../../src/core/blocks/block.js"
import { neverPausing } from "../../src/core/lib/pace.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { clearExplorer, followChain } from "../../src/core/readmodel/explorer/projectExplorer.js"
import { txsOfKinds } from "../../src/core/readmodel/explorer/txQueries.js"
import { pastOf } from "../../src/core/state/pastReader.js"
import { txTypes } from "../../src/core/txs/index.js"
import { EMPTY_ID, idText } from "../../src/core/types/id.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { BlockFacts } from "../fixtures/blockFacts.js"
import { expectExplorer } from "../fixtures/expectExplorer.js"
import { expectFacts } from "../fixtures/expectFacts.js"
import { askOf } from "../fixtures/explorerAsk.js"
import { explorerRows, OwnedHistory } from "../fixtures/ownedHistory.js"
import { testNode } from "../fixtures/rpcNode.js"
import { upgradesThrough } from "../fixtures/state.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { RandomChain } from "./random/randomChain.js"

const CHAINS = 30
const STEPS = 40
const first = seed("random chains for explorers")
/** A random chain has no chains besides its own. */
const NO_CHAINS = { xChainID: EMPTY_ID, cChainID: EMPTY_ID, avaxAssetID: EMPTY_ID }
const eras = ["cortina", "durango", "granite", "helicon"] as const

for (let i = 0; i < attempts(CHAINS); i++) {
  const era = eras[i % eras.length]!
  test(`the rows for explorers of random chain ${i} under ${era} equal those of its blocks and states`, async () => {
    const random = new RandomChain(new Random(first + i), upgradesThrough(era))
    const { store } = random
    const history = new OwnedHistory()
    const blocks: Block[] = []
    for (let step = 0; step < STEPS; step++) {
      blocks.push(...random.step())
      history.remember(random.chain.lastAccepted.height, store.latest)
    }
    await history.expectFound(store.latest)
    await history.expectSums(store.latest)
    const ids = [...random.genesis.body().validators, ...blocks.flatMap((block) => txsOf(block))].map(({ id }) => idText(id))
    const listed = await txsOfKinds(pastOf(store.latest, neverPausing), { kinds: txTypes.map(({ kind }) => kind), limit: 10_000 })
    expect(listed.map(({ txID }) => idText(txID)).sort()).toEqual(ids.sort())
    const facts = new BlockFacts(blocks, random.genesis)
    const node = testNode({ store, rules: random.rules, genesis: NO_CHAINS, methods: platformMethods })
    await expectExplorer({ facts, ask: askOf(node), hrp: hrpOf(random.rules.networkID) })
    await expectFacts(random.facts, facts.l1Validators.keys(), askOf(node), hrpOf(random.rules.networkID))
    await history.expectAnswered(askOf(node), hrpOf(random.rules.networkID))
    const kept = explorerRows(store.latest)
    clearExplorer(store)
    for (const _ of followChain(store, { genesis: random.genesis }));
    expect(explorerRows(store.latest)).toEqual(kept)
  })
}
