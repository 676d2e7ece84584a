import { type Block, type BlockBody, blockOf } from "../../../src/core/blocks/block.js"
import { priceAt } from "../../../src/core/blocks/steps.js"
import { Chain } from "../../../src/core/chain/chain.js"
import { optionBlock, type Proposal } from "../../../src/core/chain/options.js"
import { encode } from "../../../src/core/codec/decode.js"
import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { Invalid } from "../../../src/core/lib/invalid.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Upgrades } from "../../../src/core/networks/upgrades.js"
import type { ReadModelGenesis } from "../../../src/core/readmodel/acceptedBlock.js"
import { project, projectGenesis } from "../../../src/core/readmodel/fold.js"
import { advanceChainTime, gasOf, nextBlockTime, nextStakerToReward } from "../../../src/core/rules/chainTime.js"
import type { Rules } from "../../../src/core/rules/context.js"
import { toGas } from "../../../src/core/rules/gas.js"
import { Diff } from "../../../src/core/state/diff.js"
import { tables } from "../../../src/core/state/tables.js"
import type { Edits, View } from "../../../src/core/state/view.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { type ID, P_CHAIN_ID } from "../../../src/core/types/id.js"
import { topLevelUtxo, utxoID } from "../../../src/core/types/utxo.js"
import { signTx } from "../../fixtures/keys.js"
import { readStore } from "../../fixtures/readModel.js"
import { rulesWith } from "../../fixtures/state.js"
import { AVAX, idOfByte } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { commonActions } from "./actions.js"
import { type Action, HELICON_MIN_DURATION, MIN_DURATION, people, X_CHAIN } from "./attempt.js"
import { outputTo, sign } from "./draft.js"
import { FAR, genesisState, START } from "./genesis.js"
import { l1Actions, topsUp } from "./l1Actions.js"
import { Model } from "./model.js"
import type { Coin, ModelFact } from "./modelRows.js"
import { spoiled } from "./spoil.js"
import { addsSubnetValidator } from "./subnetActions.js"
import type { Tip } from "./warp.js"

const SUPPLY = 360_000_000n * NAVAX

/** The actions that begin again what a block has just ended. */
const answerTo: Readonly<Record<ModelFact["kind"], readonly Action[]>> = {
  left: [addsSubnetValidator],
  ranOut: [topsUp],
  rewarded: [],
}

/** The aims of a step: attempts that are made before the random ones, and whether a reward is paid. */
export interface Aims {
  readonly actions?: readonly Action[]
  readonly option?: "commit" | undefined
}

/** A chain that grows at random beside its model. Both must give the same verdict on every attempt. */
export class RandomChain {
  model: Model
  chain: Chain
  readonly store = readStore()
  /** The genesis of the read model. */
  readonly genesis: ReadModelGenesis
  /** The rows of its genesis. */
  readonly genesisEdits: Edits
  readonly rules: Rules
  readonly #random: Random
  readonly #actions: readonly Action[]
  /** Counts of accepted and refused attempts, by name. */
  readonly counts = new Map<string, number>()
  /** What each block did beyond its transactions by the model, by the height of the block or proposal. */
  facts = new Map<bigint, readonly ModelFact[]>()
  #imports = 0

  constructor(random: Random, upgrades: Upgrades) {
    this.#random = random
    const local = rulesWith({}, upgrades)
    const staking = {
      ...local.params.staking,
      minStakeDuration: MIN_DURATION,
      heliconMinStakeNanoseconds: HELICON_MIN_DURATION * SECOND,
    }
    // A few validators are above the target, and prices rise within minutes. The smallest balance does not pay for one second.
    const validatorFee = { ...local.params.validatorFee, target: 1n, minPrice: 8n, excessConversionConstant: 500n }
    this.rules = { ...local, params: { ...local.params, staking, validatorFee } }
    this.model = new Model(this.rules, START, SUPPLY)
    const { state, genesis } = genesisState(this.model)
    this.genesis = genesis
    projectGenesis(state, genesis)
    this.genesisEdits = state.edits
    this.store.commit(state.edits)
    this.chain = this.#open()
    this.#actions = upgrades.times.etna < FAR ? [...commonActions, ...l1Actions(() => this.tip)] : commonActions
  }

  get tip(): Tip {
    return { view: this.store.latest, height: this.chain.lastAccepted.height }
  }

  #open(): Chain {
    return new Chain({ rules: this.rules, state: this.store, checksImports: true, project })
  }

  /** Marks the present state. The returned function brings the chain and its model back to it. */
  mark(): () => void {
    const snapshot = this.store.snapshot()
    const [model, facts] = [this.model.copy(), new Map(this.facts)]
    return () => {
      this.store.revert(snapshot)
      this.model = model.copy()
      this.facts = new Map(facts)
      this.chain = this.#open()
    }
  }

  /** Makes and accepts one more block, or a proposal and its option. Returns which of them it was. */
  step(aims: Aims = {}): readonly Block[] {
    this.model.facts = []
    const blocks = this.#step(aims)
    const [first] = blocks
    if (first && this.model.facts.length > 0) this.facts.set(first.height, this.model.facts)
    return blocks
  }

  #step({ actions = [], option }: Aims): readonly Block[] {
    this.#exportFromX()
    const now = this.model.time + BigInt(this.#random.below(25))
    const { time } = nextBlockTime(this.store.latest, this.rules, now)
    const scratch = new Diff(this.store.latest)
    const changes = advanceChainTime(scratch, this.rules, time)
    const { time: lastTime, accruedFees, l1Excess } = this.model
    const removed = new Set(this.model.advance(time))
    const due = nextStakerToReward(this.store.latest, time)
    const reward = due?.isDue ? this.#rewardOf(due.staker.txID, time) : undefined
    const blockWith = (txs: readonly Tx[]): Block => this.#blockWith(time, txs, reward)
    const txs = this.#txs(scratch, removed, actions, blockWith)
    const before = this.model.active.length
    this.model.sweep()
    const block = blockWith(txs)
    if (txs.length === 0 && !reward && !changes && this.model.active.length === before) {
      this.#expectCode(block, "block.no_changes")
      // A block that changes nothing is not valid, so the time does not advance.
      Object.assign(this.model, { time: lastTime, accruedFees, l1Excess })
      return []
    }
    return this.#accept(block, option)
  }

  /** The transactions of one block: those of the attempts that are valid one after the other. */
  #txs(scratch: View, removed: Set<string>, aimed: readonly Action[], blockWith: (txs: readonly Tx[]) => Block): Tx[] {
    const price = priceAt(scratch, this.rules)
    const scene = { model: this.model, random: this.#random, price: price ?? 0n, removed, added: new Set<string>() }
    const txs: Tx[] = []
    let gas = price === undefined ? undefined : gasOf(scratch).capacity
    const tries = this.#random.below(5) + (this.model.facts.length > 0 ? 2 : 0)
    const someAction: Action = (scene) => {
      // What the advance of time has ended is often begun again in the same block.
      const answers = this.model.facts.flatMap(({ kind }) => answerTo[kind])
      const actions = answers.length > 0 && this.#random.below(2) === 0 ? answers : this.#actions
      return this.#random.pick(actions)(scene)
    }
    for (const action of [...aimed, ...Array.from({ length: tries }, () => someAction)]) {
      const tried = action(scene)
      if (!tried) continue
      const tx = sign(tried.draft)
      if (gas !== undefined) {
        const used = toGas(complexityOf(tx.unsignedTx), this.rules.params.dynamicFee.weights)
        if (used > gas) break
        if (tried.code === undefined) gas -= used
      }
      if (tried.code !== undefined) {
        this.#count(`${tried.name}: ${tried.code}`)
        this.#expectCode(blockWith([...txs, tx]), tried.code)
        continue
      }
      if (this.#random.below(3) === 0) {
        const wrong = spoiled(tried.draft, this.model, this.#random)
        this.#count(`spoiled: ${wrong.code}`)
        this.#expectCode(blockWith([...txs, wrong.tx]), wrong.code)
      }
      this.#count(tried.name)
      for (const coin of tried.draft.coins) this.model.take(coin)
      this.#addOutputs(tx)
      tried.apply(tx)
      txs.push(tx)
    }
    return txs
  }

  #rewardOf(txID: ID, timestamp: bigint): Tx {
    const isAutoRenewed = this.model.stakers.get(txID)?.renewal !== undefined
    return signTx(
      isAutoRenewed ? { kind: "RewardAutoRenewedValidatorTx", txID, timestamp } : { kind: "RewardValidatorTx", txID },
      [],
    )
  }

  #blockWith(time: bigint, txs: readonly Tx[], reward: Tx | undefined): Block {
    const { id: parentID, height } = this.chain.lastAccepted
    const common = { time, txs, parentID, height: height + 1n }
    const body: BlockBody = reward
      ? { kind: "BanffProposalBlock", ...common, tx: reward }
      : { kind: "BanffStandardBlock", ...common }
    return blockOf(body)
  }

  #accept(block: Block, aimedOption: "commit" | undefined): readonly Block[] {
    this.#verify(block)
    this.chain.accept(block.id)
    if (block.kind !== "BanffProposalBlock") {
      this.chain.flush()
      return [block]
    }
    const option = aimedOption ?? this.#random.pick(["commit", "abort"] as const)
    const decision = optionBlock(block as Proposal, option)
    // Both options are verified, as in a node, and one of them is accepted.
    for (const each of ["commit", "abort"] as const) this.#verify(optionBlock(block as Proposal, each))
    this.chain.accept(decision.id)
    this.chain.flush()
    this.#count(option)
    const { unsignedTx } = block.tx
    if (unsignedTx.kind === "RewardValidatorTx") this.model.leave(unsignedTx.txID, option === "commit")
    if (unsignedTx.kind === "RewardAutoRenewedValidatorTx") this.model.endCycle(unsignedTx.txID, block.tx.id, option === "commit")
    return [block, decision]
  }

  #verify(block: Block): void {
    const now = "time" in block ? block.time : this.model.time
    this.chain.verify(block, { now, pChainHeight: this.chain.lastAccepted.height })
  }

  #expectCode(block: Block, code: string): void {
    try {
      this.#verify(block)
    } catch (error) {
      if (error instanceof Invalid && error.code === code) return
      throw new Error(`expected ${code}`, { cause: error })
    }
    throw new Error(`expected ${code}, and it was accepted`)
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  #addOutputs({ id, unsignedTx }: Tx): void {
    if (!("outputs" in unsignedTx)) return
    for (const [outputIndex, { assetID, output }] of unsignedTx.outputs.entries()) {
      if (output.kind !== "TransferOutput") continue
      const owner = people.find(({ address }) => address === output.addresses[0])!
      this.model.add({ assetID, txID: id, outputIndex, owner, amount: output.amount })
    }
  }

  /** Sometimes adds a UTXO that can be imported from the X-Chain. */
  #exportFromX(): void {
    if (this.#random.below(4) > 0) return
    const coin: Coin = {
      assetID: AVAX,
      txID: idOfByte(0x80 + (this.#imports++ % 100)),
      outputIndex: 0,
      owner: this.#random.pick(people),
      amount: 7n * NAVAX,
    }
    if (this.model.waiting.has(coin.txID) || this.#imports > 100) return
    this.model.waiting.set(coin.txID, coin)
    const { txID, outputIndex, owner, amount } = coin
    const diff = new Diff(this.store.latest)
    const value = encode(topLevelUtxo, { txID, outputIndex, ...outputTo(owner, amount) })
    const key = { receiver: P_CHAIN_ID, sender: X_CHAIN, utxoID: utxoID(txID, outputIndex) }
    diff.put(tables.atomicUtxos, key, { value, traits: [owner.address] })
    this.store.commit(diff.edits)
  }
}
