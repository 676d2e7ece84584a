import { pushQuery } from "../../src/core/consensus/chainMessages.js"
import { Engine } from "../../src/core/consensus/engine/engine.js"
import type { RefusedBlock } from "../../src/core/consensus/engine/refusedBlocks.js"
import type { OuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { answerAboutChain, chitsOf } from "../../src/core/consensus/responder.js"
import type { SnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { Invalid, valueOrInvalid } from "../../src/core/lib/invalid.js"
import type { BootstrapNode } from "../../src/core/p2p/addressBook.js"
import type { ChainMessage, OutgoingMessage } from "../../src/core/p2p/message.js"
import { Peers } from "../../src/core/p2p/peers.js"
import type { Random } from "../../src/core/p2p/random.js"
import type { NodeID } from "../../src/core/types/id.js"
import type { PeerIdentity } from "../fixtures/peerIdentity.js"
import { peersOptions } from "../fixtures/peersOptions.js"
import { outerChainOf } from "./chainMaker.js"
import type { SimulatedGenesis } from "./simulatedGenesis.js"
import type { SimulatedNetwork } from "./simulatedNetwork.js"
import type { Simulation } from "./simulation.js"

const TICK_MS = 50
const never = () => false

/** The environment of simulated nodes. */
export interface Surroundings {
  readonly simulation: Simulation
  readonly links: SimulatedNetwork
  readonly network: SimulatedGenesis
  /** The number of known nodes that are beacons; by default all are. */
  readonly beaconCount?: number
}

/** A reply in place of the honest one, or none. */
export type Lie = (message: ChainMessage, honest: OutgoingMessage | undefined) => OutgoingMessage | undefined

/** How far apart the clocks of two nodes of a network can be, seconds. */
const MAX_CLOCK_DIFFERENCE = 10

/** Returns by how many seconds the clock of a node is ahead; behind if it is negative. */
export const randomClockSkew = (random: Random): number => (random.fraction() - 0.5) * MAX_CLOCK_DIFFERENCE

/** Settings of a scripted validator. */
export interface ScriptedOptions {
  readonly lie?: Lie | undefined
  /** The number of seconds by which its clock is ahead. */
  readonly clockSkew?: number
  /** Its chain; by default it has only genesis. */
  readonly chain?: OuterChain
}

/** A validator with a given chain, which answers truly or with lies and sends no requests. */
export class ScriptedValidator {
  readonly chain: OuterChain
  readonly identity: PeerIdentity
  readonly #simulation: Simulation
  readonly #clock: () => bigint
  readonly #peers: Peers
  /** Blocks that the network decided and that this validator has not accepted yet. */
  readonly #decided: OuterBlock[] = []

  constructor(
    { simulation, links, network }: Surroundings,
    identity: PeerIdentity,
    port: number,
    { lie = (_, honest) => honest, clockSkew = 0, chain = outerChainOf(network, network.newStore()) }: ScriptedOptions = {},
  ) {
    this.identity = identity
    this.#simulation = simulation
    this.#clock = clockOf(simulation, clockSkew)
    this.chain = chain
    const options = { ...peersOptions(identity, port, simulation.random.fork()), unixSeconds: this.#clock }
    const peers: Peers = new Peers(options, {
      ...links.portOf(identity.nodeID),
      connected: () => {},
      disconnected: () => {},
      uptimeOf: () => 0,
      fault: (_, error) => {
        throw error
      },
      message(nodeID, message) {
        const isQuery = message.case === "pullQuery" || message.case === "pushQuery"
        const honest = isQuery
          ? chitsOf(message.value, chain)
          : answerAboutChain(message, chain, { maxAncestors: 2000, isOutOfTime: never })
        const answer = lie(message, honest)
        if (answer) peers.send(nodeID, answer)
      },
    })
    this.#peers = peers
    links.add({ remote: identity, port, peers })
    every(simulation, TICK_MS, () => peers.tick(simulation.now))
  }

  /** Accepts a block that the network decided, as soon as this validator's clock allows it. */
  accept(block: OuterBlock): void {
    this.#decided.push(block)
    if (this.#decided.length === 1) this.#acceptDecided()
  }

  /** Pushes a block to a node. */
  push({ bytes, height }: OuterBlock, nodeID: NodeID): void {
    this.#peers.send(nodeID, pushQuery({ requestId: 77, deadline: 10_000_000_000n }, bytes, height))
  }

  #acceptDecided(): void {
    const [block] = this.#decided
    if (!block) return
    const refusal = valueOrInvalid(() => this.chain.verify(block, { nowSeconds: this.#clock(), isBootstrapping: false }))
    if (refusal instanceof Invalid) {
      if (refusal.dependsOn !== "clock") throw refusal
      this.#simulation.after(TICK_MS, () => this.#acceptDecided())
      return
    }
    this.chain.accept(block.id)
    this.chain.chain.flush()
    this.#decided.shift()
    this.#acceptDecided()
  }
}

/** A node of ours without sockets and disk. It can crash, and restarts with its written rows. */
export class FollowingNode {
  readonly identity: PeerIdentity
  readonly store: ReturnType<SimulatedGenesis["newStore"]>
  readonly halted: RefusedBlock[] = []
  /** The codes with which blocks were refused because of this node's clock, in order. */
  readonly refusedByClock: string[] = []
  readonly #where: Surroundings
  readonly #port: number
  readonly #bootstrappers: readonly BootstrapNode[]
  readonly #parameters: SnowParameters
  /** The number of seconds by which the node's clock is ahead. */
  readonly #clockSkew: number
  #life = 0
  #engine: Engine | undefined
  #chain: OuterChain | undefined

  constructor(
    where: Surroundings,
    identity: PeerIdentity,
    port: number,
    beacons: readonly BootstrapNode[],
    parameters: SnowParameters,
    clockSkew = 0,
  ) {
    this.#where = where
    this.identity = identity
    this.#port = port
    this.#bootstrappers = beacons
    this.#parameters = parameters
    this.#clockSkew = clockSkew
    this.store = where.network.newStore()
  }

  get chain(): OuterChain {
    return this.#chain as OuterChain
  }

  get engine(): Engine {
    return this.#engine as Engine
  }

  get isUp(): boolean {
    return this.#engine !== undefined
  }

  start(): void {
    const { simulation, links, network } = this.#where
    const { nodeID } = this.identity
    const life = ++this.#life
    const random = simulation.random.fork()
    const chain = outerChainOf(network, this.store, ({ code, dependsOn }) => {
      if (dependsOn === "clock") this.refusedByClock.push(code)
    })
    const unixSeconds = clockOf(simulation, this.#clockSkew)
    const options = { ...peersOptions(this.identity, this.#port, random, this.#bootstrappers), unixSeconds }
    const peers: Peers = new Peers(options, {
      ...links.portOf(nodeID),
      connected: (peer) => engine.connected(peer),
      disconnected: (peer) => engine.disconnected(peer, simulation.now),
      message: (peer, message, now) => engine.message(peer, message, now, never),
      uptimeOf: () => 0,
      fault: (_, error) => {
        throw error
      },
    })
    const engine: Engine = new Engine({
      chain,
      state: this.store,
      beacons: this.#bootstrappers.slice(0, this.#where.beaconCount).map((beacon) => beacon.nodeID as NodeID),
      parameters: this.#parameters,
      random,
      unixSeconds,
      port: {
        send: (peer, message) => peers.send(peer, message),
        validators: (validators) => peers.setValidators(validators),
        accepted: () => {},
        bootstrapped: () => {},
        halted: (report) => void this.halted.push(report),
      },
    })
    this.#chain = chain
    this.#engine = engine
    links.add({ remote: this.identity, port: this.#port, peers })
    every(simulation, TICK_MS, () => {
      if (this.#life !== life) return false
      peers.tick(simulation.now)
      engine.tick(simulation.now)
      let left = 5
      engine.work(simulation.now, () => left-- <= 0)
      return true
    })
  }

  /** Stops the node without writing anything. */
  crash(): void {
    this.#life++
    this.#engine = undefined
    this.#where.links.remove(this.identity.nodeID)
  }
}

/** The clock of a node that is ahead by a number of seconds, Unix seconds. */
const clockOf = (simulation: Simulation, skew: number) => () => BigInt(Math.floor(simulation.now / 1000 + skew))

/** Repeats an action at an interval until it returns false. */
function every(simulation: Simulation, milliseconds: number, action: () => unknown): void {
  const again = () => {
    if (action() !== false) simulation.after(milliseconds, again)
  }
  simulation.after(simulation.random.fraction() * milliseconds, again)
}
