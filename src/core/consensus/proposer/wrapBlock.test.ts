import { expect, test } from "vitest"
import { longChain } from "../../../../test/fixtures/longChain.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { Chain } from "../../chain/chain.js"
import { toHex } from "../../lib/bytes.js"
import type { NodeID } from "../../types/id.js"
import { OuterChain } from "./outerChain.js"
import { wrapBlock } from "./wrapBlock.js"
import { outerParentOf, putWrapper, requireOuterBlock } from "./wrapperStore.js"

test("a chain that is wrapped without signatures can be bootstrapped from, and continues after a restart", () => {
  const { newStore, rules, genesis } = simulatedGenesis(["aa".repeat(20) as NodeID])
  const store = newStore()
  const own = new Chain({ rules, state: store })
  const peer = new OuterChain(new Chain({ rules, state: newStore() }))
  for (const inner of longChain({ genesis, rules }, 5)) {
    const nowSeconds = genesis.timestamp + inner.height * 40n
    own.verify(inner, { now: nowSeconds })
    // The parent is read from the store each time, as after a restart.
    const parent = outerParentOf(requireOuterBlock(own.state, inner.height - 1n), own.state)
    const outer = wrapBlock(inner, parent, { upgrades: rules.upgrades, nowSeconds, pChainHeight: inner.height - 1n })
    own.accept(inner.id, (changes) => putWrapper(changes, outer.block))
    own.flush()
    peer.verify(outer.block, { nowSeconds, isBootstrapping: true })
    peer.accept(outer.block.id)
  }
  const served = new OuterChain(own)
  const all = [0n, 1n, 2n, 3n, 4n, 5n]
  expect(all.map((height) => toHex(served.bytesAt(height) as Uint8Array))).toEqual(
    all.map((height) => toHex(peer.bytesAt(height) as Uint8Array)),
  )
  expect(served.parentFor(served.lastAccepted).epoch).toMatchObject({ number: 4n })
})
