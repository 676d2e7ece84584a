import { type Block, txsOf } from "../../../src/core/blocks/block.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Upgrades } from "../../../src/core/networks/upgrades.js"
import { projectOverride } from "../../../src/datadir/readModel.js"
import { overrideEdits, overridesOf, sourceIDFor } from "../../../src/producer/chain/overrides.js"
import { AVAX } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { people } from "./attempt.js"
import { outputTo } from "./draft.js"
import { RandomChain } from "./randomChain.js"
import { type BlockShape, leadsTo, shapesOf } from "./shapes.js"

/** What a private chain does beside its blocks. */
const ownShapes = ["an output of an override is spent", "the chain is reverted"] as const
export type Shape = BlockShape | (typeof ownShapes)[number]

/** The steps within which every shape has occurred. */
const LONGEST = 300

/** A random chain that is private: outputs are added without a transaction, and it is reverted to earlier blocks. */
export class PrivateRandomChain {
  readonly chain: RandomChain
  readonly #random: Random
  /** How often each due shape has occurred. */
  readonly occurred: Map<Shape, number>
  #revert: (() => void) | undefined

  /** `due` has the shapes that occur for certain. */
  constructor(random: Random, upgrades: Upgrades, due: readonly BlockShape[]) {
    this.#random = random
    this.chain = new RandomChain(random, upgrades)
    this.occurred = new Map([...ownShapes, ...due].map((shape) => [shape, 0]))
  }

  get #missing(): readonly Shape[] {
    return [...this.occurred].flatMap(([shape, times]) => (times === 0 ? shape : []))
  }

  #count(shape: Shape): void {
    this.occurred.set(shape, (this.occurred.get(shape) ?? 0) + 1)
  }

  /** Makes at least this many steps, and more until every due shape has occurred. `afterEach` is called whenever the chain has changed. */
  async grow(steps: number, afterEach: (step: number) => unknown): Promise<void> {
    for (let step = 0; step < steps || this.#missing.length > 0; step++) {
      if (step === LONGEST) throw new Error(`this has not occurred: ${this.#missing.join("; ")}`)
      const { height } = this.chain.chain.lastAccepted
      this.#goBack(height)
      if (this.#random.below(3) === 0) this.#override()
      this.#step()
      await afterEach(step)
    }
  }

  /** Sometimes marks the present block, and sometimes reverts to the marked one. */
  #goBack(height: bigint): void {
    if (this.#random.below(8) > 0) return
    if (!this.#revert) {
      this.#revert = this.chain.mark()
      return
    }
    this.#revert()
    this.#revert = undefined
    if (this.chain.chain.lastAccepted.height < height) this.#count("the chain is reverted")
  }

  /** Makes an output without a transaction, which the next transactions may spend. */
  #override(): void {
    const { store, model } = this.chain
    const count = [...overridesOf(store.latest)].length
    const owner = this.#random.pick(people)
    const place = { txID: sourceIDFor(store.latest, count), outputIndex: 0 }
    const utxo = { ...place, ...outputTo(owner, 9n * NAVAX) }
    store.commit(overrideEdits(store.latest, [{ kind: "utxo", utxo }], count, projectOverride))
    model.addFirst({ ...place, assetID: AVAX, owner, amount: 9n * NAVAX })
  }

  #step(): void {
    const { chain } = this
    const made = new Set(
      [...overridesOf(chain.store.latest)].flatMap(({ override }) => (override.kind === "utxo" ? override.utxo.txID : [])),
    )
    const active = new Set(chain.model.active.map(([id]) => id))
    const aimed = this.#missing.filter((shape) => shape !== ownShapes[0] && shape !== ownShapes[1])
    const blocks = chain.step({
      actions: aimed.map((shape) => leadsTo(shape, chain)),
      option: this.#missing.includes("a validator without a reward of its own is paid its delegators' fee")
        ? "commit"
        : undefined,
    })
    for (const block of blocks) {
      for (const shape of shapesOf(block, { facts: chain.facts.get(block.height) ?? [], active })) this.#count(shape)
      if (spends(block, made)) this.#count("an output of an override is spent")
    }
  }
}

const spends = (block: Block, made: ReadonlySet<string>): boolean =>
  txsOf(block).some(({ unsignedTx }) => "inputs" in unsignedTx && unsignedTx.inputs.some(({ txID }) => made.has(txID)))
