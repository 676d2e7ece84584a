import { expect, test } from "vitest"
import { changeOf, firstUnspent, payment } from "../../../../test/fixtures/longChain.js"
import { type PeerIdentity, peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { Mempool } from "../../chain/mempool.js"
import { tables } from "../../state/tables.js"
import { valuesOf } from "../../state/view.js"
import type { Tx } from "../../txs/tx.js"
import { windowerFor } from "../proposer/checkProposer.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { slotOf } from "../proposer/windower.js"
import { Proposer } from "./proposer.js"
import { SignedBlocks } from "./signedBlocks.js"

const START = 1_750_000_000n
const keys = ["one", "two", "three"].map(peerIdentity)
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
const first = payment(firstUnspent, network.rules)
const rival = payment(firstUnspent, network.rules, 2n)

/** A validator over a store, at a time. */
function validator(identity: PeerIdentity, store: ReturnType<typeof network.newStore>, seconds: () => bigint, delayMs = 0) {
  const chain = outerChainOf(network, store)
  const pool = new Mempool()
  const { nodeID, certificate, signTls: sign } = identity
  const proposer = new Proposer({
    chain,
    key: { nodeID, certificate, sign },
    signed: new SignedBlocks(store),
    pool,
    minBlockDelayMs: delayMs,
    unixMs: () => Number(seconds()) * 1000,
    recommendedHeight: () => chain.lastAccepted.height,
  })
  const wait = (tx: Tx) => pool.add(tx, { gas: 1_000n, burned: 10_000n })
  const propose = () => proposer.blockOn(chain.lastAccepted)
  return { chain, store, pool, wait, propose, identity }
}

function accept(chain: OuterChain, block: OuterBlock, nowSeconds: bigint): void {
  chain.verify(block, { nowSeconds, isBootstrapping: false })
  chain.accept(block.id)
  chain.chain.flush()
}

/** Three validators that have accepted the first block, and the owner of the first slot after it. */
function afterFirstBlock(seconds: () => bigint) {
  const nodes = keys.map((identity) => validator(identity, network.newStore(), seconds))
  const [maker] = nodes as [(typeof nodes)[0]]
  maker.wait(first)
  const block = maker.propose() as OuterBlock
  for (const { chain } of nodes) accept(chain, block, START)
  const windower = windowerFor(maker.chain.parentFor(block), maker.chain.chain.state)
  const ownerAt = (time: bigint) => nodes.find(({ identity }) => identity.nodeID === windower.ownerOf(slotOf(START, time)))
  return { nodes, block, ownerAt: ownerAt as (time: bigint) => (typeof nodes)[0] }
}

test("the first wrapper of a chain is unsigned, and any node makes it when a transaction waits", () => {
  const { propose, wait, chain } = validator(keys[0] as PeerIdentity, network.newStore(), () => START)
  expect(propose()).toBeUndefined()
  wait(first)
  const block = propose() as OuterBlock
  expect(block.wrapper).toMatchObject({ kind: "ProposerVMBlock", timestamp: START, pChainHeight: 0n })
  expect((block.wrapper as { signature: Uint8Array }).signature.length).toBe(0)
  accept(chain, block, START)
  expect(chain.lastAccepted.height).toBe(1n)
})

test("in a slot only its owner proposes, and the others take its signed block", () => {
  let now = START
  const { nodes, ownerAt } = afterFirstBlock(() => now)
  const second = payment(changeOf(first), network.rules)
  for (const { wait, pool } of nodes) {
    pool.remove(first.id)
    wait(second)
  }
  for (const slot of [0n, 1n, 2n, 3n]) {
    now = START + slot * 5n + 1n
    const proposers = nodes.flatMap((node) => (node.propose() ? [node.identity.nodeID] : []))
    expect(proposers).toEqual([ownerAt(now).identity.nodeID])
  }
})

test("a block is built for a staker whose time is over, and not before", () => {
  const [staker] = [...valuesOf(network.newStore().latest.rows(tables.currentStakers))]
  const { endTime } = staker as { endTime: bigint }
  let now = endTime - 1n
  const { propose } = validator(keys[0] as PeerIdentity, network.newStore(), () => now)
  expect(propose()).toBeUndefined()
  now = endTime
  expect(propose()?.inner).toMatchObject({
    kind: "BanffProposalBlock",
    time: endTime,
    tx: { unsignedTx: { kind: "RewardValidatorTx" } },
  })
})

test("a transaction that is no longer valid is dropped, and one of an undecided block waits", () => {
  let now = START
  const { chain, pool, wait, propose } = validator(keys[0] as PeerIdentity, network.newStore(), () => now)
  wait(first)
  const block = propose() as OuterBlock
  chain.verify(block, { nowSeconds: START, isBootstrapping: false })
  wait(payment(changeOf(first), network.rules))
  chain.accept(block.id)
  pool.remove(first.id)
  wait(rival)
  // Until a slot of this validator.
  for (let slot = 0; slot < 100 && pool.size === 2; slot++, now += 5n) propose()
  expect([pool.size, pool.dropOf(rival.id)?.reason]).toEqual([1, expect.any(String)])
})

test("blocks keep the distance that is asked for", () => {
  const store = network.newStore()
  let now = START
  const { chain, wait, propose } = validator(keys[0] as PeerIdentity, store, () => now, 1_000)
  wait(first)
  const { timestamp } = chain.parentFor(chain.lastAccepted)
  now = timestamp
  expect(propose()).toBeUndefined()
  now = timestamp + 1n
  expect(propose()?.height).toBe(1n)
})

test("a restarted validator gives the block that it signed for a slot, and never signs another one", () => {
  const { nodes, ownerAt } = afterFirstBlock(() => START)
  const { identity, store, wait, propose } = ownerAt(START)
  const second = payment(changeOf(first), network.rules)
  wait(second)
  const signed = propose() as OuterBlock
  const again = validator(identity, store, () => START)
  again.wait(payment(changeOf(first), network.rules, 3n))
  expect((again.propose() as OuterBlock).id).toBe(signed.id)
  for (const { chain } of nodes) accept(chain, signed, START)
})
