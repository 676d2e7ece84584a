import { txsOf } from "../../../src/core/blocks/block.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../../../src/core/consensus/proposer/outerBlock.js"
import { slotOf } from "../../../src/core/consensus/proposer/windower.js"
import { wholeSeconds } from "../../../src/core/lib/wholeSeconds.js"
import { randomIndex } from "../../../src/core/p2p/random.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { EMPTY_NODE_ID, type ID, type NodeID } from "../../../src/core/types/id.js"
import { blankTx } from "../../../src/producer/keys/credentials.js"
import { firstUnspent } from "../../fixtures/longChain.js"
import { type PeerIdentity, peerIdentity } from "../../fixtures/peerIdentity.js"
import { type Lock, type LockedUnspent, lockedChangeOf, lockedPayment, lockKinds } from "../lockedPayment.js"
import { type SimulatedGenesis, simulatedGenesis } from "../simulatedGenesis.js"
import { Simulation } from "../simulation.js"
import { crashed, equivocator, liarInChits, silent, withholder } from "./behaviours.js"
import { DirectLinks } from "./directLinks.js"
import { type Behaviour, ValidatingNode } from "./validatingNode.js"

/** The faults of a run. */
export interface SafetySettings {
  readonly seed: number
  readonly validators: number
  /** For how long nodes crash and the network is cut, milliseconds; then everything heals, but for the nodes that lie. */
  readonly chaosMs: number
  /** The maximum latency of a message, milliseconds. */
  readonly maxLatencyMs: number
  /** False if every node is honest and its clock is right; the default is up to a fifth of faulty nodes. */
  readonly hasFaults?: boolean
}

/** The longest pause between two payments, milliseconds. */
const MAX_PAUSE_MS = 3_000

/** The longest lock on the change of a payment, which the next payment spends. */
const MAX_LOCK_MS = 6_000

const identities: PeerIdentity[] = []
const networks = new Map<number, SimulatedGenesis>()

/** The same validators in every run, so that their keys are made once. */
function validatorsOf(count: number): { readonly keys: readonly PeerIdentity[]; readonly network: SimulatedGenesis } {
  for (let i = identities.length; i < count; i++) identities.push(peerIdentity(`validator ${i}`))
  const keys = identities.slice(0, count)
  const network = networks.get(count) ?? simulatedGenesis(keys.map(({ nodeID }) => nodeID))
  networks.set(count, network)
  return { keys, network }
}

const pushedBlocks = new WeakMap<Uint8Array, OuterBlock>()

/** Decodes a pushed block. The result is cached, because a block is pushed to many nodes. */
function readPushed(container: Uint8Array): OuterBlock {
  const block = pushedBlocks.get(container) ?? readOuterBlock(container, VERIFIED_BEFORE)
  pushedBlocks.set(container, block)
  return block
}

/**
 * A network of validators that pay from one account, a payment after the other, while up to a fifth of the stake crashes, is cut off, signs
 * two blocks for a slot, lies in votes, stays silent or withholds blocks. Each node has a clock of its own, and some payments spend an output
 * about when its lock ends. Every step is checked; a violation throws.
 */
export class SafetyRun {
  readonly simulation: Simulation
  readonly links: DirectLinks
  readonly nodes: readonly ValidatingNode[]
  readonly network: SimulatedGenesis
  readonly #honest: ReadonlySet<NodeID>
  /** The first accepted block at each height. */
  readonly #accepted = new Map<bigint, OuterBlock>()
  /** The last accepted height of each node, which never decreases, not even in a crash. */
  readonly #heights = new Map<NodeID, bigint>()
  /** The signed block of each honest node for a height and slot. */
  readonly #signed = new Map<string, ID>()
  readonly #seen: ID[] = []
  readonly #rivals = new Map<ID, Tx>()
  /** True if the change of payments is locked. */
  readonly #hasLocks: boolean
  /** The payment that waits for a block, and its rival; none between two payments. */
  #current: readonly Tx[]
  /** The lock on the change of the current payment. */
  #lock: Lock | undefined
  /** The log of faults, for the report of a failure. */
  readonly faults: string[] = []
  /** Number of accepted payments. */
  payments = 0

  constructor({ seed, validators, chaosMs, maxLatencyMs, hasFaults = true }: SafetySettings) {
    const { keys, network } = validatorsOf(validators)
    this.simulation = new Simulation(seed)
    this.links = new DirectLinks(this.simulation, maxLatencyMs)
    this.network = network
    this.#hasLocks = hasFaults
    const world = {
      hasRightClocks: !hasFaults,
      simulation: this.simulation,
      links: this.links,
      network,
      accepted: (node: ValidatingNode, block: OuterBlock) => this.#noteAccepted(node, block),
      pushed: (node: ValidatingNode, container: Uint8Array) => this.#noteSigned(node, container),
    }
    const faulty = hasFaults ? this.#chooseFaulty(keys) : new Map<NodeID, Behaviour>()
    this.#honest = new Set(keys.map(({ nodeID }) => nodeID).filter((nodeID) => !faulty.get(nodeID)))
    this.nodes = keys.map((identity) => new ValidatingNode(world, identity, faulty.get(identity.nodeID)))
    this.#current = this.#nextPayment(firstUnspent)
    for (const node of this.nodes) this.#start(node)
    if (chaosMs > 0) this.#scheduleChaos(chaosMs)
    this.#spread()
  }

  /** The height up to which any honest node has accepted blocks. */
  get height(): bigint {
    return BigInt(this.#accepted.size)
  }

  /** Returns whether a payment waits for a block. */
  get isPaymentWaiting(): boolean {
    return this.#current.length > 0
  }

  /** Returns whether every honest node runs and has accepted the block at a height. */
  hasEverywhere(height: bigint): boolean {
    return this.honest.every((node) => node.isUp && node.chain.lastAccepted.height >= height)
  }

  get honest(): readonly ValidatingNode[] {
    return this.nodes.filter(({ nodeID }) => this.#honest.has(nodeID))
  }

  /** Up to a fifth of the nodes; `undefined` for those that are honest, or only crash and are cut off. */
  #chooseFaulty(keys: readonly PeerIdentity[]): Map<NodeID, Behaviour | undefined> {
    const { random } = this.simulation
    const most = Math.floor(keys.length / 5)
    const count = Math.min(most, Math.floor(random.fraction() * (most + 1) + 0.5))
    const first = Math.floor(random.fraction() * keys.length)
    const rivalOf = (tx: Tx) => this.#rivals.get(tx.id)
    let silentCount = 0
    const behaviours: readonly (readonly [string, () => Behaviour | undefined])[] = [
      ["crashed", () => crashed],
      // If a fifth of the stake is connected and silent, every fifth poll fails after its whole timeout. Here it is a tenth at most.
      ["silent", () => (++silentCount * 10 > keys.length ? crashed : silent)],
      ["liar", () => liarInChits(random.fork(), this.#seen)],
      ["withholder", () => withholder(random.fork())],
      ["equivocator", () => equivocator(rivalOf)],
    ]
    return new Map(
      Array.from({ length: count }, (_, i) => {
        const [name, behave] = behaviours[Math.floor(random.fraction() * behaviours.length)] as (typeof behaviours)[0]
        this.faults.push(name)
        return [(keys[(first + i) % keys.length] as PeerIdentity).nodeID, behave()]
      }),
    )
  }

  #start(node: ValidatingNode): void {
    if (!node.isUp && node.behaviour !== crashed) node.start()
  }

  /** Crashes and cuts at random times, all of them over when chaos ends. */
  #scheduleChaos(chaosMs: number): void {
    const { simulation } = this
    const { random } = simulation
    const some = () => this.nodes[Math.floor(random.fraction() * this.nodes.length)] as ValidatingNode
    for (let i = Math.floor(random.fraction() * 4); i > 0; i--) {
      const node = some()
      const at = random.fraction() * chaosMs
      simulation.after(at, () => node.isUp && node.crash())
      simulation.after(at + random.fraction() * (chaosMs - at), () => this.#start(node))
    }
    if (random.fraction() < 0.5) {
      const size = 1 + Math.floor(random.fraction() * (this.nodes.length - 1))
      const group = this.nodes.slice(0, size).map(({ nodeID }) => nodeID)
      const at = random.fraction() * chaosMs
      simulation.after(at, () => this.links.partition(group))
    }
    simulation.after(chaosMs, () => {
      this.links.partition()
      for (const node of this.nodes) this.#start(node)
    })
  }

  /** Gives the current payment to every node that is up, again and again: other simulations have the gossip. */
  #spread(): void {
    this.#deliver()
    this.simulation.after(500, () => this.#spread())
  }

  #deliver(): void {
    const [tx] = this.#current
    if (tx) for (const node of this.nodes) node.take(tx)
  }

  #nextPayment(unspent: LockedUnspent): readonly Tx[] {
    this.#lock = this.#hasLocks ? this.#nextLock() : undefined
    // These nodes do not verify signatures.
    const options = { lock: this.#lock, sign: blankTx }
    const tx = lockedPayment(unspent, this.network.rules, options)
    const rival = lockedPayment(unspent, this.network.rules, { ...options, paid: 2n })
    this.#rivals.set(tx.id, rival)
    return [tx, rival]
  }

  /** Half of the payments are locked. */
  #nextLock(): Lock | undefined {
    const { now, random } = this.simulation
    if (random.fraction() < 0.5) return undefined
    const kind = lockKinds[randomIndex(random, lockKinds.length)] as Lock["kind"]
    return { kind, until: wholeSeconds(now + random.fraction() * MAX_LOCK_MS) }
  }

  /** Checks that two honest nodes never accept different blocks at one height, that no node's height decreases, and that every block follows its parent. */
  #noteAccepted(node: ValidatingNode, block: OuterBlock): void {
    if (!this.#honest.has(node.nodeID)) return
    const before = this.#heights.get(node.nodeID) ?? 0n
    if (block.height !== before + 1n) throw new Error(`${node.nodeID} accepted height ${block.height} after ${before}`)
    this.#heights.set(node.nodeID, block.height)
    const known = this.#accepted.get(block.height)
    if (known && known.id !== block.id) throw new Error(`two blocks were accepted at height ${block.height}`)
    if (known) return
    const parent = this.#accepted.get(block.height - 1n)
    if (parent && parent.id !== block.parentID) throw new Error(`the block at height ${block.height} does not follow its parent`)
    this.#accepted.set(block.height, block)
    const paid = txsOf(block.inner).find(({ id }) => this.#current.some((tx) => tx.id === id))
    if (!paid) return
    this.payments++
    this.#current = []
    const change = lockedChangeOf(paid, this.#lock)
    this.simulation.after(this.simulation.random.fraction() * MAX_PAUSE_MS, () => {
      this.#current = this.#nextPayment(change)
      this.#deliver()
    })
  }

  /** Checks that an honest node never signs two different blocks for one height and slot. */
  #noteSigned(node: ValidatingNode, container: Uint8Array): void {
    const { id, height, parentID, wrapper } = readPushed(container)
    this.#seen.push(id)
    if (!this.#honest.has(node.nodeID) || !wrapper || wrapper.kind === "ProposerVMOption") return
    if (wrapper.proposer === EMPTY_NODE_ID) return
    const { chain } = node
    const parent = chain.processing(parentID) ?? chain.lastAccepted
    const key = `${node.nodeID} ${height} ${slotOf(chain.parentFor(parent).timestamp, wrapper.timestamp)}`
    const known = this.#signed.get(key)
    if (known !== undefined && known !== id) throw new Error(`two blocks were signed: ${key}`)
    this.#signed.set(key, id)
  }
}
