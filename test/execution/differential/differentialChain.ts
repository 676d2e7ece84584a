import { type Block, decodeBlock } from "../../../src/core/blocks/block.js"
import { executionAt, priceAt } from "../../../src/core/blocks/steps.js"
import { optionBlock, type Proposal } from "../../../src/core/chain/options.js"
import { encode } from "../../../src/core/codec/decode.js"
import { unmarshalText } from "../../../src/core/codec/errors.js"
import { Invalid } from "../../../src/core/lib/invalid.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { advanceChainTime, nextBlockTime, nextStakerToReward } from "../../../src/core/rules/chainTime.js"
import { chainTimeOf } from "../../../src/core/rules/context.js"
import { Diff } from "../../../src/core/state/diff.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { executeTx } from "../../../src/core/txs/execute.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { P_CHAIN_ID } from "../../../src/core/types/id.js"
import { topLevelUtxo, type Utxo, utxoID } from "../../../src/core/types/utxo.js"
import { signTx } from "../../fixtures/keys.js"
import { idOfNumber } from "../../fixtures/state.js"
import type { Random } from "../../fuzz/random.js"
import { rewardOf } from "./autoRenewed.js"
import { apricotBlock, banffBlock, spoiledBlocks, spoiledOptions } from "./blocks.js"
import { type Maker, type Scene, signed, type UnsignedDraft } from "./compose.js"
import { allMakers, atomicMakers, proposedMakers } from "./makers.js"
import { garbled, mutated } from "./mutate.js"
import { outputOf } from "./spendable.js"
import { COIN, idsIn, type World } from "./world.js"

/** A block that was offered to our chain, with its verdict, which the judge must share. */
export interface Line {
  readonly bytes: Uint8Array
  /** The height that its Warp messages are to hold at. */
  readonly pChainHeight: bigint
  /** The refusal in AvalancheGo's words; none if it was accepted. */
  readonly refusal: string | undefined
}

type BlockWith = (txs: readonly Tx[]) => Block

/**
 * A chain that grows at random from a real genesis. Every attempt is recorded with the decision of Serac's chain, and AvalancheGo's own VM decides
 * afterwards what was right.
 */
export class DifferentialChain {
  readonly world: World
  readonly lines: Line[] = []
  /** UTXOs that came from the X-Chain. */
  readonly atomic: Uint8Array[] = []
  readonly #random: Random
  readonly #makers: readonly Maker[] = allMakers()
  /** The judge's clock: the latest time that any block named. */
  #now: bigint

  constructor(world: World, random: Random) {
    this.world = world
    this.#random = random
    this.#now = chainTimeOf(world.store.latest)
  }

  /** Adds one more block, and refused ones beside it. */
  step(): void {
    if (this.#random.below(3) === 0) this.#exportFromX()
    const { banff } = this.world.rules.upgrades.times
    const time = chainTimeOf(this.#view)
    // Blocks before Banff have no time: the first one gives the judge the time.
    if (time < banff && this.lines.length === 0) this.#propose(signTx({ kind: "AdvanceTimeTx", time }, []))
    else if (time < banff && (time + 60n < banff || this.#random.below(3) > 0)) this.#apricotStep(time)
    else this.#banffStep(time)
  }

  get #view(): View {
    return this.world.store.latest
  }

  #banffStep(parentTime: bigint): void {
    const random = this.#random
    const view = this.#view
    const { chain, rules } = this.world
    const wait = BigInt(random.pick([0, 0, 1, 1, 5, 30, 30, 120, 400]))
    const { time } = nextBlockTime(view, rules, parentTime + wait)
    this.#tick(time)
    const scratch = new Diff(view)
    advanceChainTime(scratch, rules, time)
    const due = nextStakerToReward(view, time)
    const reward = due?.isDue ? rewardOf(view, due.staker.txID, time) : undefined
    const blockWith: BlockWith = (txs) => banffBlock(chain.lastAccepted, time, txs, reward)
    const block = blockWith(this.#txsFor(scratch, time, blockWith))
    if (random.below(3) === 0) this.#refuse(random.pick(spoiledBlocks(block, view, random)))
    if (random.below(3) === 0) for (let i = 0; i < 3; i++) this.#refuseBytes(garbled(block.bytes, random))
    this.#accept(block)
  }

  #apricotStep(time: bigint): void {
    const random = this.#random
    const { chain, rules } = this.world
    const below = chain.lastAccepted
    const due = nextStakerToReward(this.#view, time)
    const scratch = new Diff(this.#view)
    const make = (makers: readonly Maker[]) => random.pick(makers)(this.#sceneOn(scratch, time))
    if (due?.isDue) {
      this.#propose(signTx({ kind: "RewardValidatorTx", txID: due.staker.txID }, []))
      return
    }
    const what = random.pick(["time", "time", "staker", "atomic", "several"])
    if (what === "time") {
      const { time: next } = nextBlockTime(this.#view, rules, time + BigInt(random.below(60)))
      this.#tick(next)
      this.#propose(signTx({ kind: "AdvanceTimeTx", time: next }, []))
    } else if (what === "staker") {
      const made = make(proposedMakers)
      const tx = made && signedOrNone(random.below(2) === 0 ? mutated(made, random, idsIn(this.world)) : made)
      if (tx) this.#propose(tx)
    } else if (what === "atomic") {
      const made = make(atomicMakers)
      if (made) this.#accept(apricotBlock(below, { kind: "ApricotAtomicBlock", tx: signed(made) }))
    } else {
      const blockWith: BlockWith = (txs) => apricotBlock(below, { kind: "ApricotStandardBlock", txs })
      this.#accept(blockWith(this.#txsFor(scratch, time, blockWith)))
    }
  }

  #propose(tx: Tx): void {
    this.#accept(apricotBlock(this.world.chain.lastAccepted, { kind: "ApricotProposalBlock", tx }))
  }

  #sceneOn(state: Diff, time: bigint): Scene {
    const { world } = this
    return { world, rules: world.rules, random: this.#random, state, time, now: this.#now, price: priceAt(state, world.rules) }
  }

  /** Transactions that are valid one after the other; an invalid one is offered in a separate block, and refused. */
  #txsFor(scratch: Diff, time: bigint, blockWith: BlockWith): Tx[] {
    const random = this.#random
    const { chain, rules } = this.world
    const txs: Tx[] = []
    const price = priceAt(scratch, rules)
    for (let tries = random.below(6); tries > 0; tries--) {
      const made = random.pick(this.#makers)({ ...this.#sceneOn(scratch, time), price })
      if (!made) continue
      const wrong = random.below(2) === 0 ? signedOrNone(mutated(made, random, idsIn(this.world))) : undefined
      if (wrong) this.#refuse(blockWith([...txs, wrong]))
      const tx = signed(made)
      if (this.#refuse(blockWith([...txs, tx]))) continue
      executeTx(tx, scratch, { ...executionAt(scratch, chain.blockContextAt(this.#now)), price })
      txs.push(tx)
    }
    return txs
  }

  /** Accepts a block, and the option of a proposal, or records the refusal. */
  #accept(block: Block): void {
    if (this.#refuse(block)) return
    this.#noteAccepted(block)
    if (block.kind !== "BanffProposalBlock" && block.kind !== "ApricotProposalBlock") return
    const option = this.#random.below(3) > 0 ? "commit" : "abort"
    const decision = optionBlock(block as Proposal, option)
    if (this.#random.below(4) === 0) for (const each of spoiledOptions(decision)) this.#refuse(each)
    this.#accept(decision)
  }

  #noteAccepted({ id, bytes }: Block): void {
    const { chain } = this.world
    this.lines.push({ bytes, pChainHeight: chain.lastAccepted.height, refusal: undefined })
    chain.accept(id)
    chain.flush()
  }

  /** Returns whether our chain refuses a block, and records the refusal. The judge would accept any other block, so it is not recorded. */
  #refuse(block: Block): boolean {
    const { chain } = this.world
    const pChainHeight = chain.lastAccepted.height
    try {
      chain.verify(block, { now: this.#now, pChainHeight })
      return false
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#noteRefused(block.bytes, pChainHeight, error)
      return true
    }
  }

  /** Does the same for bytes that may not be a block. */
  #refuseBytes(bytes: Uint8Array): void {
    try {
      const block = decodeBlock(bytes)
      // A block from the future would move the judge's clock.
      if (!("time" in block) || block.time <= this.#now) this.#refuse(block)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#noteRefused(bytes, this.world.chain.lastAccepted.height, error)
    }
  }

  #noteRefused(bytes: Uint8Array, pChainHeight: bigint, error: Invalid): void {
    const refusal = error.steps + unmarshalText(error)
    if (!differing.includes(refusal)) this.lines.push({ bytes, pChainHeight, refusal })
  }

  #tick(time: bigint): void {
    if (time > this.#now) this.#now = time
  }

  /** Adds UTXOs that can be imported from the X-Chain, of AVAX or of the other asset. */
  #exportFromX(): void {
    const random = this.#random
    const { store, rules, xChainID: sender } = this.world
    const assetID = random.below(2) === 0 ? COIN : rules.avaxAssetID
    const amount = assetID === COIN ? 1_000_000n : BigInt(1 + random.below(4_000)) * NAVAX
    const txID = idOfNumber(0xabc000 + this.atomic.length)
    const utxo: Utxo = { txID, outputIndex: random.below(3), ...outputOf(random, this.#now, assetID, amount) }
    if (utxo.output.kind !== "TransferOutput") return
    const value = encode(topLevelUtxo, utxo)
    const diff = new Diff(store.latest)
    const key = { receiver: P_CHAIN_ID, sender, utxoID: utxoID(txID, utxo.outputIndex) }
    diff.put(tables.atomicUtxos, key, { value, traits: utxo.output.addresses })
    store.commit(diff.edits)
    this.atomic.push(value)
  }
}

/**
 * Refusals that differ from AvalancheGo's on purpose. AvalancheGo decodes a transaction in the place of a credential or an authorisation, and refuses
 * it later for another reason.
 */
const differing = ["wrong credential type", "unsupported auth type"]

/** Signs a transaction; returns `undefined` if a value does not fit into its field. */
function signedOrNone(unsigned: UnsignedDraft): Tx | undefined {
  try {
    return signed(unsigned)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
