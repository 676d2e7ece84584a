import { expect, test } from "vitest"
import { txsOf } from "../../../src/core/blocks/block.js"
import { encode } from "../../../src/core/codec/decode.js"
import type { OuterBlock } from "../../../src/core/consensus/proposer/outerBlock.js"
import { Diff } from "../../../src/core/state/diff.js"
import { tables } from "../../../src/core/state/tables.js"
import { P_CHAIN_ID } from "../../../src/core/types/id.js"
import { topLevelUtxo, utxoID } from "../../../src/core/types/utxo.js"
import { blankTx } from "../../../src/producer/keys/credentials.js"
import { changeOf, firstUnspent, payment } from "../../fixtures/longChain.js"
import { peerIdentity } from "../../fixtures/peerIdentity.js"
import { ewoqOutput, ewoqOwner } from "../../fixtures/spendUnspent.js"
import { seedRange, seedsIn } from "../seedRange.js"
import { simulatedGenesis } from "../simulatedGenesis.js"
import { Simulation } from "../simulation.js"
import { DirectLinks } from "./directLinks.js"
import { ValidatingNode } from "./validatingNode.js"

const keys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
const { networkID, avaxAssetID: assetID } = network.rules
const AMOUNT = 1_000_000_000n
/** Longer than it takes to accept a block, milliseconds. */
const LIMIT_MS = 300_000
/** The time for which a network is watched that may decide nothing, milliseconds. */
const WATCH_MS = 30_000

const exported = { txID: firstUnspent.txID, outputIndex: 9, assetID, output: ewoqOutput(AMOUNT, assetID).output }
const sender = network.genesis.xChainID
const importing = blankTx({
  kind: "ImportTx",
  networkID,
  blockchainID: P_CHAIN_ID,
  memo: new Uint8Array(0),
  inputs: [],
  outputs: [ewoqOutput(AMOUNT - 100_000n, assetID)],
  sourceChain: sender,
  importedInputs: [{ ...exported, input: { kind: "TransferInput", amount: AMOUNT, signatureIndices: [0] } }],
})
const payments = [payment(firstUnspent, network.rules)]
for (let i = 1; i < 4; i++) payments.push(payment(changeOf(payments[i - 1]!), network.rules))

/** The row of the export, as a node with the X-Chain has it. */
function sharedRows(): Diff["edits"] {
  const diff = new Diff(network.newStore().latest)
  const key = { receiver: P_CHAIN_ID, sender, utxoID: utxoID(exported.txID, exported.outputIndex) }
  diff.put(tables.atomicUtxos, key, { value: encode(topLevelUtxo, exported), traits: ewoqOwner.addresses })
  return diff.edits
}

/**
 * Runs five validators that have an ImportTx and make one payment after the other. The first `seeing` of them see the export, and the others
 * cannot check imports. Returns whether each of them has accepted the ImportTx once all payments are accepted everywhere. With `mayStand` it
 * stops where a payment is not accepted in half a minute. No two of them accept different blocks at a height.
 */
function importedBy(seed: number, seeing: number, mayStand = false): boolean[] {
  const simulation = new Simulation(seed)
  const accepted = new Map<ValidatingNode, Set<string>>()
  const decided = new Map<bigint, string>()
  const world = {
    simulation,
    links: new DirectLinks(simulation, 100),
    network,
    accepted: (node: ValidatingNode, { inner, height, id }: OuterBlock) => {
      if ((decided.get(height) ?? id) !== id) throw new Error(`two blocks were accepted at height ${height}`)
      decided.set(height, id)
      for (const { id } of txsOf(inner)) accepted.get(node)?.add(id)
    },
    pushed: () => {},
    sharedRows: ({ identity }: ValidatingNode) => (keys.indexOf(identity) < seeing ? sharedRows() : undefined),
  }
  const nodes = keys.map((identity) => new ValidatingNode(world, identity))
  for (const node of nodes) {
    accepted.set(node, new Set())
    node.start()
    node.take(importing)
  }
  const everywhere = (id: string) => nodes.every((node) => accepted.get(node)?.has(id))
  for (const payment of payments) {
    for (const node of nodes) node.take(payment)
    const isPaid = simulation.runUntil(() => everywhere(payment.id), mayStand ? WATCH_MS : LIMIT_MS)
    if (!isPaid && mayStand) break
    expect(isPaid).toBe(true)
  }
  return nodes.map((node) => accepted.get(node)?.has(importing.id) ?? false)
}

const range = seedRange([1, 2], [1, 500])
const seeds = seedsIn(range, range)

test.each(seeds)("an ImportTx that four of five can check is accepted by all: seed %i", (seed) => {
  expect(importedBy(seed, 4)).toEqual(Array(5).fill(true))
})

test.each(seeds)("an ImportTx that only its proposer can check is accepted by none, and the chain goes on: seed %i", (seed) => {
  expect(importedBy(seed, 1)).toEqual(Array(5).fill(false))
  expect(importedBy(seed, 0)).toEqual(Array(5).fill(false))
})

// Some vote for the block with the ImportTx, and the others for one beside it: neither may get 15 of 20 votes for a long time.
test.each(seeds)(
  "where too few can check an ImportTx the chain may stand, and no two accept different blocks: seed %i",
  (seed) => {
    for (const seeing of [2, 3]) expect(() => importedBy(seed, seeing, true)).not.toThrow()
  },
)
