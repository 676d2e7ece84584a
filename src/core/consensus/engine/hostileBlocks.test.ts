import { expect, test, vi } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { refusal } from "../../../../test/refusal.js"
import { ChainMaker, outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { seededRandom } from "../../../../test/simulator/random.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { parseCertificate } from "../../../platform/certificate.js"
import { blockOf } from "../../blocks/block.js"
import type { StatePort } from "../../chain/statePort.js"
import { concatBytes } from "../../lib/bytes.js"
import { upTo } from "../../networks/upgrades.js"
import type { ByteRoom } from "../../p2p/byteRoom.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import { EMPTY_ID, type ID, type NodeID } from "../../types/id.js"
import { containerWithoutProposer, optionContainer } from "../../types/proposervm.js"
import { CHAIN_ID, idIn } from "../chainMessages.js"
import { decodeInner, type OuterBlock, readWrapper } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { defaultSnowParameters } from "../snowman/parameters.js"
import { Stake } from "../snowman/stake.js"
import { BenchList, defaultBenchSettings } from "./benchList.js"
import { Consensus } from "./consensus.js"
import { Engine } from "./engine.js"
import { defaultChainSettings } from "./enginePort.js"

const START = 1_750_000_000n
const MIB = 1024 * 1024
const keys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
const [validator] = keys.map(({ nodeID }) => nodeID) as [NodeID]
const stranger = (i: number) => i.toString(16).padStart(40, "e") as NodeID
const parentID = (i: number) => i.toString(16).padStart(64, "d") as ID

/** A wrapper without proposer around these bytes. */
const wrapped = (parent: ID, block: Uint8Array) =>
  containerWithoutProposer({
    kind: "ProposerVMBlock",
    parentID: parent,
    timestamp: START,
    pChainHeight: 0n,
    certificate: new Uint8Array(0),
    block,
    signature: new Uint8Array(0),
  }).bytes

/** The bytes of a block that begins like a standard block, and cannot be decoded. */
function undecodable(height: bigint, size = 0): Uint8Array {
  const block = blockOf({ kind: "BanffStandardBlock", time: START, parentID: EMPTY_ID, height, txs: [] })
  return concatBytes(block.bytes, new Uint8Array(size + 1))
}

/** A node that follows the network and has accepted two blocks, with the messages that it sends. */
function follower() {
  const maker = new ChainMaker(network, keys)
  const store = network.newStore()
  const chain = outerChainOf(network, store)
  for (const block of [maker.next(START - 20n), maker.next(START - 10n)]) {
    chain.verify(block, { nowSeconds: START, isBootstrapping: false })
    chain.accept(block.id)
  }
  chain.chain.flush()
  return { ...followerOf(chain, store), maker }
}

/** A node that follows a chain, with the messages that it sends. */
function followerOf(chain: OuterChain, store: StatePort) {
  const sent: OutgoingMessage[] = []
  const engine = new Engine({
    chain,
    state: store,
    beacons: [],
    parameters: defaultSnowParameters,
    random: seededRandom(1),
    followsFrom: Number(START) * 1000,
    port: {
      send: (_to, message) => sent.push(message) > 0,
      validators: () => {},
      accepted: () => {},
      bootstrapped: () => {},
      halted: () => {},
    },
  })
  const push = (from: NodeID, container: Uint8Array) => {
    const value = { chainId: CHAIN_ID, requestId: 1, deadline: 1_000_000_000n, container, requestedHeight: 1n }
    engine.message(from, { case: "pushQuery", value } as ChainMessage, Number(START) * 1000, () => false)
  }
  /** The IDs of the blocks that were requested. */
  const requested = () =>
    sent.flatMap((message) => (message.case === "get" ? [idIn(message.value.containerId as Uint8Array)] : []))
  return { chain, push, requested }
}

test("a block without wrapper is refused where wrappers are active, and its parent is not requested", () => {
  const { push, requested } = follower()
  push(stranger(1), blockOf({ kind: "BanffStandardBlock", time: START, parentID: parentID(1), height: 3n, txs: [] }).bytes)
  expect(requested()).toEqual([])
})

test.each([
  ["is not active yet, a block without wrapper waits for its parent", "apricotPhase3", [parentID(1)]],
  ["is active, no such block follows a block without wrapper", "apricotPhase4", []],
] as const)("where Apricot Phase 4 %s", (_name, upgrade, expected) => {
  const store = network.newStore()
  const chain = outerChainOf({ ...network, rules: { ...network.rules, upgrades: upTo(upgrade) } }, store)
  const { push, requested } = followerOf(chain, store)
  push(stranger(1), blockOf({ kind: "ApricotStandardBlock", parentID: parentID(1), height: 3n, txs: [] }).bytes)
  expect(requested()).toEqual(expected)
})

test("a block in a wrapper waits without being decoded, and one far above the last accepted height does not wait", () => {
  const { push, requested } = follower()
  push(stranger(1), wrapped(parentID(1), undecodable(4n)))
  push(stranger(1), wrapped(parentID(2), undecodable(2n + 512n)))
  push(stranger(1), wrapped(parentID(3), undecodable(2n + 513n)))
  push(stranger(1), wrapped(parentID(4), undecodable(1_000_000n)))
  expect(requested()).toEqual([parentID(1), parentID(2)])
})

test("a block does not keep the message in memory in which it arrived", () => {
  const { chain, maker, push } = follower()
  const block = maker.make(START)
  const message = new Uint8Array(2 * MIB)
  message.set(block.bytes, 100)
  push(validator, message.subarray(100, 100 + block.bytes.length))
  expect(chain.processing(block.id)?.bytes.buffer.byteLength).toBe(block.bytes.length)
})

test("at most 64 blocks are requested from one node at a time", () => {
  const { push, requested } = follower()
  for (let i = 0; i < 100; i++) push(stranger(1), wrapped(parentID(i), undecodable(4n)))
  expect(requested()).toEqual(Array.from({ length: 64 }, (_, i) => parentID(i)))
  push(stranger(2), wrapped(parentID(100), undecodable(4n)))
  expect(requested().at(-1)).toBe(parentID(100))
})

const NOW = Number(START) * 1000

/** Consensus on a chain at genesis, where five validators have a fifth of the stake each. */
function consensusWith(room?: ByteRoom) {
  const chain = outerChainOf(network, network.newStore())
  const requests: [ID, NodeID][] = []
  const options = {
    ...{ chain, parameters: defaultSnowParameters, settings: defaultChainSettings, random: seededRandom(1) },
    ...(room ? { room } : {}),
    bench: new BenchList({ ...defaultBenchSettings, maxShare: 0.1 }, { benched: () => {}, released: () => {} }),
    port: {
      send: (to: NodeID, message: OutgoingMessage) =>
        message.case !== "get" || requests.push([idIn(message.value.containerId as Uint8Array) as ID, to]) > 0,
      chits: () => {
        throw new Error("nobody asks")
      },
      accepted: () => {},
      optionsOf: () => [],
      halted: () => {},
    },
  }
  const stake = new Stake(new Map(keys.map(({ nodeID }) => [nodeID, 1n])))
  const consensus = new Consensus(options, stake, [], NOW)
  const takeJunk = (from: NodeID, i: number, size: number) => {
    const bytes = wrapped(parentID(i), undecodable(4n, size))
    const id = i.toString(16).padStart(64, "a") as ID
    consensus.blocks.take({ id, parentID: parentID(i), height: 4n, bytes, wrapper: undefined }, from, NOW)
    return id
  }
  return { consensus, blocks: consensus.blocks, chain, requests, takeJunk }
}

test("the blocks of a node that wait for their parents are limited in bytes, and so are those of all nodes without stake", () => {
  const { blocks, takeJunk } = consensusWith()
  const size = 300_000
  for (let i = 0; i < 50; i++) takeJunk(stranger(1), i, size)
  expect([blocks.waitingBytes > 1.5 * MIB, blocks.waitingBytes < 2.5 * MIB]).toEqual([true, true])
  for (let node = 2; node < 40; node++) for (let i = 0; i < 10; i++) takeJunk(stranger(node), 100 * node + i, size)
  expect([blocks.waitingBytes > 5.5 * MIB, blocks.waitingBytes < 6.5 * MIB]).toEqual([true, true])
  // A validator has room of its own.
  for (let i = 0; i < 100; i++) takeJunk(validator, 9000 + i, size)
  expect([blocks.waitingBytes > 12 * MIB, blocks.waitingBytes < 13 * MIB]).toEqual([true, true])
})

test("the block of a node that has waited longest makes room for a new one, and small blocks count for more than their bytes", () => {
  const { blocks, takeJunk } = consensusWith({ shared: 10_000, sharedPerPeer: 5_000, forValidators: 0 })
  const ids = Array.from({ length: 6 }, (_, i) => takeJunk(stranger(1), i, 0))
  expect(ids.map((id) => blocks.isPending(id))).toEqual([false, true, true, true, true, true])
})

test("a block is decoded after its wrapper was checked against its parent's, and refused if it cannot be decoded", () => {
  const { blocks, chain } = consensusWith()
  const headerOf = (bytes: Uint8Array) => readWrapper(bytes, { parseCertificate })
  const first = new ChainMaker(network, keys).make(START)
  // A wrapper that follows another one has an epoch.
  const child = headerOf(wrapped(first.id, undecodable(2n)))
  blocks.take(child, validator, NOW)
  expect([blocks.refused.reasonOf(child.id), blocks.isPending(child.id)]).toEqual([undefined, true])
  blocks.take(first, validator, NOW)
  const sibling = headerOf(wrapped(chain.lastAccepted.id, undecodable(1n)))
  blocks.take(sibling, validator, NOW)
  const refused = [child, sibling].map(({ id }) => blocks.refused.acceptedElsewhere(validator, id))
  expect(refused.map((each) => each && [each.block.id, each.block.height, each.block.parentID, each.reason.code])).toEqual([
    [child.id, 2n, first.id, "consensus.wrong_wrapper_kind"],
    [sibling.id, 1n, chain.lastAccepted.id, "codec.trailing"],
  ])
  expect(blocks.waitingBytes).toBe(0)
})

test("a refused block of a node without stake is not remembered, since it could send any number of them", () => {
  const { blocks, chain } = consensusWith()
  const block = readWrapper(wrapped(chain.lastAccepted.id, undecodable(1n)), { parseCertificate })
  blocks.take(block, stranger(1), NOW)
  expect(blocks.refused.reasonOf(block.id)).toBeUndefined()
  blocks.want(block.id, stranger(1), NOW)
  expect(blocks.isPending(block.id)).toBe(false)
})

test("a block that was refused is not verified again in the same second, whoever sends it", () => {
  const { blocks, chain } = consensusWith()
  const verify = vi.spyOn(chain, "verify")
  const block = readWrapper(wrapped(chain.lastAccepted.id, undecodable(1n)), { parseCertificate })
  for (const from of [validator, validator, stranger(1)]) blocks.take(block, from, NOW)
  expect(verify).toHaveBeenCalledTimes(1)
  expect(blocks.takeChanges().map((change) => change.kind)).toEqual(["resolved", "resolved", "resolved"])
  blocks.take(block, validator, NOW + 1_000)
  expect(verify).toHaveBeenCalledTimes(2)
})

test("an option that is larger than a commit or abort block is refused without being decoded", () => {
  const { bytes } = optionContainer(parentID(1), undecodable(3n, 100))
  expect(refusal(() => decodeInner(readWrapper(bytes, { parseCertificate }))).code).toBe("codec.too_large")
})

/** A chain of blocks on genesis that are larger together than the room. */
const chainOf = (length: number): OuterBlock[] => {
  const maker = new ChainMaker(network, keys, () => 0n)
  return Array.from({ length }, (_, i) => maker.next(START - 600n + BigInt(5 * i)))
}

test("a chain of blocks that is larger than the room is issued in parts, the lowest first", () => {
  const chain = chainOf(12)
  const byID = new Map(chain.map((block) => [block.id, block]))
  const { blocks, requests } = consensusWith({ shared: 0, sharedPerPeer: 0, forValidators: 5 * 6_000 })
  const tip = chain.at(-1) as OuterBlock
  let rounds = 0
  for (; !blocks.tree.isProcessing(tip.id) && rounds < 12; rounds++) {
    blocks.want(tip.id, validator, NOW)
    for (let next = requests.pop(); next; next = requests.pop()) blocks.take(byID.get(next[0]) as OuterBlock, validator, NOW)
    expect(blocks.waitingBytes).toBe(0)
  }
  expect(rounds).toBeGreaterThan(1)
  expect(blocks.processingAncestor(tip.id)).toBe(tip.id)
})

const [withholder, honest] = [stranger(1), stranger(2)]

test("a node that withheld a block is remembered for thirty seconds", () => {
  const { requests } = consensusWith().consensus
  requests.withheld(withholder, 1_000)
  const at = (nodeID: NodeID, now: number) => requests.isWithholding(nodeID, now)
  expect([at(withholder, 1_000), at(withholder, 30_999), at(honest, 1_000)]).toEqual([true, true, false])
  expect([at(withholder, 31_000), at(withholder, 30_000)]).toEqual([false, false])
})

test("a block of this node whose parent is not in the tree asks no node for it, and does not wait", () => {
  const { blocks, requests } = consensusWith()
  const [block, child] = chainOf(2) as [OuterBlock, OuterBlock]
  blocks.take(child, undefined, NOW)
  expect([requests, blocks.isPending(child.id)]).toEqual([[], false])
  blocks.take(child, honest, NOW)
  expect([requests, blocks.isPending(child.id)]).toEqual([[[block.id, honest]], true])
})

test("a block that arrives again while it waits for its parent stays undecided for the votes that wait for it", () => {
  const { blocks } = consensusWith()
  const [block, child] = chainOf(2) as [OuterBlock, OuterBlock]
  blocks.take(child, honest, NOW)
  blocks.take(child, withholder, NOW)
  expect([blocks.takeChanges(), blocks.isPending(child.id)]).toEqual([[], true])
  blocks.take(block, honest, NOW)
  expect(blocks.takeChanges().map((each) => [each.kind, each.kind === "issued" ? each.block.id : each.id])).toEqual([
    ["issued", block.id],
    ["resolved", block.id],
    ["issued", child.id],
    ["resolved", child.id],
  ])
})

test("a block that a withholding node was asked for is also asked from another node that names it", () => {
  const { consensus, blocks, requests } = consensusWith()
  const [block] = chainOf(1) as [OuterBlock]
  blocks.want(block.id, withholder, NOW)
  blocks.want(block.id, honest, NOW)
  expect(requests).toEqual([[block.id, withholder]])
  consensus.requests.withheld(withholder, NOW)
  blocks.want(block.id, honest, NOW)
  blocks.want(block.id, withholder, NOW)
  expect(requests.slice(1)).toEqual([[block.id, honest]])
  // The first node does not deliver; the block is still expected from the second.
  consensus.disconnected(withholder, NOW)
  expect(blocks.isPending(block.id)).toBe(true)
  blocks.take(block, honest, NOW)
  expect([blocks.isPending(block.id), blocks.isKnown(block.id)]).toEqual([false, true])
})
