import { Chain } from "../../../src/core/chain/chain.js"
import { Mempool } from "../../../src/core/chain/mempool.js"
import type { UptimeOf } from "../../../src/core/chain/options.js"
import { RecentBlocks } from "../../../src/core/chain/recentBlocks.js"
import { Engine } from "../../../src/core/consensus/engine/engine.js"
import type { OuterBlock } from "../../../src/core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../../../src/core/consensus/proposer/outerChain.js"
import { defaultSnowParameters } from "../../../src/core/consensus/snowman/parameters.js"
import { wholeSeconds } from "../../../src/core/lib/wholeSeconds.js"
import type { ChainMessage, OutgoingMessage } from "../../../src/core/p2p/message.js"
import type { Diff } from "../../../src/core/state/diff.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { NodeID } from "../../../src/core/types/id.js"
import type { PeerIdentity } from "../../fixtures/peerIdentity.js"
import type { SimulatedGenesis } from "../simulatedGenesis.js"
import { randomClockSkew } from "../simulatedNodes.js"
import type { Simulation } from "../simulation.js"
import type { DirectLinks } from "./directLinks.js"

const TICK_MS = 100

/** The environment of validators, and the observers of their events. */
export interface ValidatorsWorld {
  readonly simulation: Simulation
  readonly links: DirectLinks
  readonly network: SimulatedGenesis
  /** True if all clocks are right; by default each node has a clock of its own. */
  readonly hasRightClocks?: boolean
  /** Called with every accepted block, when it is written. */
  accepted(node: ValidatingNode, block: OuterBlock): void
  /** Called with every query that pushes a block. */
  pushed(node: ValidatingNode, container: Uint8Array): void
  /** The uptimes that a node has measured; the default is none. */
  uptimeOf?(node: ValidatingNode): UptimeOf
  /** The rows that other chains wrote for a node that runs them, and so checks imports; `undefined` for a node that does not, the default. */
  sharedRows?(node: ValidatingNode): Diff["edits"] | undefined
}

/** The misbehaviour of a faulty node. */
export interface Behaviour {
  /** The message that is sent instead of an honest one; `undefined` sends none. */
  out?(to: NodeID, message: OutgoingMessage, node: ValidatingNode): OutgoingMessage | undefined
  /** Returns whether a message is accepted. */
  in?(message: ChainMessage): boolean
}

/** A validator of ours without sockets and disk. It can crash, and restarts with its written rows. */
export class ValidatingNode {
  readonly identity: PeerIdentity
  readonly store: ReturnType<SimulatedGenesis["newStore"]>
  readonly behaviour: Behaviour
  readonly pool = new Mempool()
  readonly #world: ValidatorsWorld
  /** The number of seconds by which the node's clock is ahead. */
  readonly #clockSkew: number
  readonly #checksImports: boolean
  #life = 0
  #engine: Engine | undefined
  #chain: OuterChain | undefined

  constructor(world: ValidatorsWorld, identity: PeerIdentity, behaviour: Behaviour = {}) {
    this.#world = world
    this.#clockSkew = world.hasRightClocks ? 0 : randomClockSkew(world.simulation.random)
    this.identity = identity
    this.behaviour = behaviour
    this.store = world.network.newStore()
    const shared = world.sharedRows?.(this)
    this.#checksImports = shared !== undefined
    if (shared) this.store.commit(shared)
  }

  get nodeID(): NodeID {
    return this.identity.nodeID
  }

  get chain(): OuterChain {
    return this.#chain as OuterChain
  }

  get engine(): Engine | undefined {
    return this.#engine
  }

  get isUp(): boolean {
    return this.#engine !== undefined
  }

  /** Adds a transaction to the mempool of this node. */
  take(tx: Tx): void {
    if (!this.isUp || this.pool.has(tx.id)) return
    try {
      this.pool.add(tx, { gas: 1_000n, burned: 10_000n })
    } catch {
      // The mempool has a transaction that spends the same UTXO.
    }
    this.#engine?.propose(this.#world.simulation.now)
  }

  start(): void {
    const { simulation, links } = this.#world
    const life = ++this.#life
    const engine = this.#open()
    this.#engine = engine
    links.add({
      nodeID: this.nodeID,
      connected: (peer) => engine.connected(peer),
      disconnected: (peer) => engine.disconnected(peer, simulation.now),
      message: (from, message) => {
        if (this.behaviour.in?.(message) ?? true) engine.message(from, message, simulation.now, () => false)
      },
    })
    const tick = () => {
      if (this.#life !== life) return
      engine.tick(simulation.now)
      simulation.after(TICK_MS, tick)
    }
    simulation.after(simulation.random.fraction() * TICK_MS, tick)
  }

  /** Stops the node without writing anything. */
  crash(): void {
    this.#life++
    this.#engine = undefined
    this.#world.links.remove(this.nodeID)
  }

  #open(): Engine {
    const { simulation, network } = this.#world
    const { rules } = network
    const chain = new Chain({ rules, state: this.store, checksImports: this.#checksImports, trustSignatures: true })
    const outer = new OuterChain(chain)
    this.#chain = outer
    const recent = new RecentBlocks()
    const unixMs = () => simulation.now + this.#clockSkew * 1000
    const { nodeID, certificate, signTls: sign } = this.identity
    return new Engine({
      chain: outer,
      state: this.store,
      beacons: [],
      parameters: defaultSnowParameters,
      random: simulation.random.fork(),
      followsFrom: simulation.now,
      unixSeconds: () => wholeSeconds(unixMs()),
      validator: {
        key: { nodeID, certificate, sign },
        pool: this.pool,
        minBlockDelayMs: 0,
        unixMs,
        recommendedHeight: () => recent.minimumHeight(outer.lastAccepted.height, simulation.now),
      },
      port: {
        send: (peer, message) => this.#send(peer, message),
        validators: () => {},
        accepted: (blocks) => {
          for (const block of blocks) {
            recent.add(block.height, simulation.now)
            this.#world.accepted(this, block)
          }
        },
        bootstrapped: () => {},
        uptimeOf: this.#world.uptimeOf?.(this) ?? (() => undefined),
        halted: ({ reason }) => {
          throw new Error(`an honest block was refused: ${reason}`)
        },
      },
    })
  }

  #send(peer: NodeID, honest: OutgoingMessage): boolean {
    const message = this.behaviour.out ? this.behaviour.out(peer, honest, this) : honest
    if (!message) return true
    if (message.case === "pushQuery") this.#world.pushed(this, message.value.container as Uint8Array)
    return this.#world.links.send(this.nodeID, peer, message)
  }
}
