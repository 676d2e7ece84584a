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
import { Priority } from "../../../src/core/state/staker.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { emptyView } from "../../../src/core/state/view.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { type ID, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { topLevelUtxo, utxoID } from "../../../src/core/types/utxo.js"
import { blsKeyOf, ownerOf, signTx } from "../../fixtures/keys.js"
import { readStore } from "../../fixtures/readModel.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { addGenesisOutput, rulesWith, stakerWith } from "../../fixtures/state.js"
import { AVAX, idOfByte, validTxs } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { commonActions } from "./actions.js"
import { type Action, HELICON_MIN_DURATION, MIN_DURATION, nodes, people, X_CHAIN } from "./attempt.js"
import { outputTo, sign } from "./draft.js"
import { l1Actions, topsUp } from "./l1Actions.js"
import { COIN, type Coin, Model, type ModelFact } from "./model.js"
import { spoiled } from "./spoil.js"
import { addsSubnetValidator } from "./subnetActions.js"

/** The time at which random chains begin, Unix seconds. */
export const START = 1_800_000_000n
const FAR = START + 10_000_000n
const SUPPLY = 360_000_000n * NAVAX

/** The actions that begin again what a block has just ended. */
const answerTo: Readonly<Record<ModelFact["kind"], readonly Action[]>> = {
  left: [addsSubnetValidator],
  ranOut: [topsUp],
  rewarded: [],
}

/** A chain that grows at random beside its model. Both must give the same verdict on every attempt. */
export class RandomChain {
  readonly model: Model
  readonly chain: Chain
  readonly store = readStore()
  /** The genesis of the read model. */
  readonly genesis: ReadModelGenesis
  readonly rules: Rules
  readonly #random: Random
  readonly #actions: readonly Action[]
  /** Counts of accepted and refused attempts, by name. */
  readonly counts = new Map<string, number>()
  /** What each block did beyond its transactions by the model, by the height of the block or proposal. */
  readonly facts = new Map<bigint, readonly ModelFact[]>()
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
    const validatorFee = { ...local.params.validatorFee, target: 1n, minPrice: 2n, excessConversionConstant: 500n }
    this.rules = { ...local, params: { ...local.params, staking, validatorFee } }
    this.model = new Model(this.rules, START, SUPPLY)
    const genesis = this.#genesis()
    this.genesis = {
      timestamp: START,
      utxos: [...genesis.rows(tables.utxos)].map(([, utxo]) => utxo),
      validators: [],
      chains: [],
    }
    projectGenesis(genesis, this.genesis)
    this.store.commit(genesis.edits)
    this.chain = new Chain({ rules: this.rules, state: this.store, checksImports: true, project })
    const tip = () => ({ view: this.store.latest, height: this.chain.lastAccepted.height })
    this.#actions = upgrades.times.etna < FAR ? [...commonActions, ...l1Actions(tip)] : commonActions
  }

  /** Makes and accepts one more block, or a proposal and its option. Returns which of them it was. */
  step(): readonly Block[] {
    this.model.facts = []
    const blocks = this.#step()
    const [first] = blocks
    if (first && this.model.facts.length > 0) this.facts.set(first.height, this.model.facts)
    return blocks
  }

  #step(): readonly Block[] {
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
    const txs = this.#txs(scratch, removed, blockWith)
    const before = this.model.active.length
    this.model.sweep()
    const block = blockWith(txs)
    if (txs.length === 0 && !reward && !changes && this.model.active.length === before) {
      this.#expectCode(block, "block.no_changes")
      // A block that changes nothing is not valid, so the time does not advance.
      Object.assign(this.model, { time: lastTime, accruedFees, l1Excess })
      return []
    }
    return this.#accept(block)
  }

  /** The transactions of one block: those of the attempts that are valid one after the other. */
  #txs(scratch: View, removed: Set<string>, blockWith: (txs: readonly Tx[]) => Block): Tx[] {
    const price = priceAt(scratch, this.rules)
    const scene = { model: this.model, random: this.#random, price: price ?? 0n, removed, added: new Set<string>() }
    const txs: Tx[] = []
    let gas = price === undefined ? undefined : gasOf(scratch).capacity
    for (let tries = this.#random.below(5) + (this.model.facts.length > 0 ? 2 : 0); tries > 0; tries--) {
      // What the advance of time has ended is often begun again in the same block.
      const answers = this.model.facts.flatMap(({ kind }) => answerTo[kind])
      const actions = answers.length > 0 && this.#random.below(2) === 0 ? answers : this.#actions
      const tried = this.#random.pick(actions)(scene)
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

  #accept(block: Block): readonly Block[] {
    this.#verify(block)
    this.chain.accept(block.id)
    if (block.kind !== "BanffProposalBlock") {
      this.chain.flush()
      return [block]
    }
    const option = this.#random.pick(["commit", "abort"] as const)
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

  /** The genesis: every key has funds, and one validator stays to the end. */
  #genesis(): Diff {
    const state = new Diff(emptyView)
    const { model } = this
    state.put(tables.timestamp, null, START)
    state.put(tables.lastAccepted, null, { id: idOfByte(0xee), height: 0n })
    state.put(tables.chains, X_CHAIN, { subnetID: PRIMARY_NETWORK_ID, chainName: "X-Chain", vmID: idOfByte(8) })
    for (const [i, owner] of people.entries()) {
      for (let outputIndex = 0; outputIndex < 10; outputIndex++) {
        for (const [assetID, txID] of [
          [AVAX, idOfByte(0x20 + i)],
          [COIN, idOfByte(0x30 + i)],
        ] as const) {
          const coin = { assetID, txID, outputIndex, owner, amount: 100_000n * NAVAX }
          model.add(coin)
          addGenesisOutput(state, { txID, outputIndex, ...outputTo(owner, coin.amount, assetID) })
        }
      }
    }
    const [nodeID, owner] = [nodes[0]!, people[0]!]
    const weight = 2_000n * NAVAX
    const [start, end] = [START - 100n, FAR]
    const stake = { validator: { nodeID, start, end, weight }, outputs: [], stake: [outputTo(owner, weight)] }
    const owners = { validationRewardsOwner: ownerOf(owner), delegationRewardsOwner: ownerOf(owner) }
    const tx = signTx({ ...validTxs.AddPermissionlessValidatorTx, ...stake, ...owners, shares: 20_000 }, [])
    model.begin({
      txID: tx.id,
      subnetID: PRIMARY_NETWORK_ID,
      nodeID,
      isValidator: true,
      owner,
      weight,
      start,
      end,
      outputs: 0,
      shares: 20_000,
      order: 2,
      potentialReward: undefined,
    })
    const { potentialReward = 0n } = model.stakers.get(tx.id)!
    state.put(tables.supplies, PRIMARY_NETWORK_ID, model.supplies.get(PRIMARY_NETWORK_ID)!)
    state.put(tables.txs, tx.id, { status: TxStatus.committed, height: 0n, bytes: tx.bytes })
    const times = { startTime: start, endTime: end, nextTime: end }
    const who = { txID: tx.id, nodeID, weight, publicKey: blsKeyOf(1).publicKey, potentialReward }
    addCurrentStaker(state, stakerWith({ ...who, ...times, priority: Priority.primaryValidatorCurrent }))
    return state
  }
}
