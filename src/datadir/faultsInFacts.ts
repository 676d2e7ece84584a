import { toJson } from "../core/codec/valueSink.js"
import { type Json, printJson } from "../core/lib/json.js"
import {
  type AcceptedBlock,
  acceptedBlocks,
  factsAt,
  type PlacedTx,
  type ReadModelGenesis,
} from "../core/readmodel/acceptedBlock.js"
import { createdL1Validators } from "../core/readmodel/creations.js"
import { l1ChangesOf } from "../core/readmodel/explorer/subjects.js"
import type { Rules } from "../core/rules/context.js"
import { l1FeeStateAt } from "../core/rules/l1Record.js"
import { openWarpMessage } from "../core/rules/warp.js"
import { DepartureReason, type Fact, fact as factCodec, RewardKind, TIME_STEP } from "../core/state/facts.js"
import { isActiveL1 } from "../core/state/l1Validators.js"
import { rowFault, valueText } from "../core/state/rowFault.js"
import type { ValidatorKey } from "../core/state/staker.js"
import type { Table } from "../core/state/table.js"
import { heightOf, tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { requireStaker, stakerInfoOf } from "../core/txs/execute.js"
import type { Tx } from "../core/txs/tx.js"
import { type ID, idText } from "../core/types/id.js"

/**
 * Compares what the execution recorded of each block with its transactions, and what came of all of them with the state. Yields a sentence for
 * each fact that contradicts them or is missing, and `undefined` after each block, for pauses.
 */
export function* faultsInFacts(view: View, { genesis, rules }: CheckedChain): Iterable<string | undefined> {
  const walk = new FactsWalk(view, { genesis, rules })
  for (const accepted of acceptedBlocks(view, genesis)) {
    // The state records the changes of a proposal under the height of its option.
    for (const block of accepted) yield* walk.faultsIn(block, (accepted.at(-1) as AcceptedBlock).height)
    yield undefined
  }
  yield* walk.faultsAtEnd()
}

/** The constants of a checked chain. */
export interface CheckedChain {
  readonly genesis: ReadModelGenesis
  readonly rules: Rules
}

/** A staker or an L1 validator that is there. */
interface Member extends ValidatorKey {
  /** The height of the block that added it. */
  readonly since: bigint
  /** The time at which it ends by itself, Unix seconds; only a permissioned validator does. */
  readonly end?: bigint | undefined
  /** Whether an L1 validator has a balance; stakers have none. */
  readonly isActive?: boolean
}

class FactsWalk {
  readonly #view: View
  readonly #rules: Rules
  readonly #genesis: ReadModelGenesis
  /** Who is there after the blocks so far, by transaction or validation ID. */
  readonly #there = new Map<ID, Member>()
  #rewards = 0

  constructor(view: View, { genesis, rules }: CheckedChain) {
    this.#view = view
    this.#genesis = genesis
    this.#rules = rules
  }

  /** Compares the facts of a block, which became a part of the state at a height. */
  *faultsIn(block: AcceptedBlock, decidedAt: bigint): Iterable<string> {
    const { height, time, txs, facts } = block
    const ofSteps = [...facts, ...txs.flatMap((placed) => placed.facts)]
    const recorded = factsAt(this.#view, height)
    const known = recorded.length === ofSteps.length ? undefined : new Set(ofSteps.map(placeOf))
    for (const fact of known ? recorded : [])
      if (!known?.has(placeOf(fact))) yield extra(height, fact, `block ${height} has no step ${fact.step}`)
    for (const { tx } of txs) yield* this.#faultsBefore(tx, block, decidedAt)
    for (const fact of facts) if (fact.step === TIME_STEP) yield* this.#faultBeside(fact, height, time)
    for (const placed of txs) yield* this.#faultsOf(placed)
    for (const fact of facts) if (fact.step !== TIME_STEP) yield* this.#faultBeside(fact, height, time)
  }

  /** Compares whether L1 validators that a transaction changes had a balance before the block, and whether its time used that up. */
  *#faultsBefore({ unsignedTx }: Tx, { height, time, facts }: AcceptedBlock, decidedAt: bigint): Iterable<string> {
    for (const { validationID: id, validator } of l1ChangesOf(unsignedTx, this.#view)) {
      const key = validator && { subnetID: validator.subnetID, height: decidedAt, stakerID: id }
      const { endAccumulatedFee: end } = (key && this.#view.get(tables.l1MemberDiffs, key)?.before) ?? {}
      const member = this.#there.get(id)
      if (!member || end === undefined) continue
      if (member.isActive !== end > 0n) yield this.#otherBalance(id, end, { table: "l1MemberDiffs", before: decidedAt })
      const fees = l1FeeStateAt(this.#view, this.#rules, decidedAt, time)?.accruedFees ?? 0n
      const isRecorded = facts.some((each) => each.step === TIME_STEP && each.kind === "runOut" && each.validationID === id)
      if (end > 0n && end <= fees && !isRecorded)
        yield `facts has under ${height} nothing about ${runOut(id)}, and l1MemberDiffs has it with the end ${end} of ${fees}`
    }
  }

  /** Compares a fact that belongs to no transaction. */
  *#faultBeside(fact: Fact, height: bigint, time: bigint): Iterable<string> {
    const id = fact.kind === "departure" ? fact.stakerID : fact.kind === "runOut" ? fact.validationID : undefined
    const member = id && this.#there.get(id)
    if (!member) return yield extra(height, fact, id ? `block ${height} does not find it` : "no transaction is at its step")
    if (fact.kind === "runOut") {
      if (!member.isActive) yield extra(height, fact, "it has no balance")
      return this.#there.set(id, { ...member, isActive: false })
    }
    const isDue = member.end !== undefined && member.end <= time && nameOf(fact) === departure(id, DepartureReason.expired)
    if (!isDue) yield extra(height, fact, `block ${height} has the time ${time}, and its own end is ${member.end}`)
    this.#there.delete(id)
  }

  /** Compares the facts of a transaction with what it leads to, and processes it. */
  *#faultsOf(placed: PlacedTx): Iterable<string> {
    const { tx, height, isCommitted, facts } = placed
    const due = this.#dueOf(placed)
    const leadsTo = `${idText(tx.id)} leads to ${due.join(" and ") || "nothing"}`
    for (const fact of facts) {
      const at = due.indexOf(nameOf(fact))
      if (at === -1) yield extra(height, fact, leadsTo)
      else due.splice(at, 1)
      if (fact.kind === "departure" && !this.#there.delete(fact.stakerID)) yield extra(height, fact, "it was not there")
    }
    for (const name of due) yield `facts has under ${height} nothing about ${name}, and ${leadsTo}`
    if (isCommitted) this.#process(placed)
  }

  /** Notes whom a transaction adds, and which L1 validators get a balance or lose it. */
  #process({ tx: { id, unsignedTx }, height: since }: PlacedTx): void {
    const staker = stakerInfoOf(unsignedTx)
    if (staker) this.#there.set(id, { ...staker, since, end: staker.rewardsOwner ? undefined : staker.end })
    for (const { validationID, balance, subnetID, nodeID } of createdL1Validators(unsignedTx))
      this.#there.set(validationID, { subnetID, nodeID, since, isActive: balance > 0n })
    const isIncreased = unsignedTx.kind === "IncreaseL1ValidatorBalanceTx"
    if (!isIncreased && unsignedTx.kind !== "DisableL1ValidatorTx") return
    const member = this.#there.get(unsignedTx.validationID)
    if (member) this.#there.set(unsignedTx.validationID, { ...member, isActive: isIncreased })
  }

  /** Returns the names of the facts that a transaction leads to. */
  #dueOf({ tx: { id, unsignedTx: tx }, isCommitted, facts }: PlacedTx): string[] {
    const refundOf = (validationID: ID, outputs: number) =>
      this.#there.get(validationID)?.isActive ? [`the refund ${outputs} of ${idText(id)}`] : []
    switch (tx.kind) {
      case "RewardValidatorTx":
      case "RewardAutoRenewedValidatorTx": {
        const isRenewed = tx.kind === "RewardAutoRenewedValidatorTx"
        // One that renews itself may continue.
        const isEnd = !isRenewed || facts.some(({ kind }) => kind === "departure")
        const end = departure(tx.txID, isCommitted ? DepartureReason.rewarded : DepartureReason.unrewarded)
        return [...this.#rewardsUnder(isRenewed ? id : tx.txID, tx.txID, facts), ...(isEnd ? [end] : [])]
      }
      case "RemoveSubnetValidatorTx": {
        const { subnetID, nodeID } = tx
        const [left] =
          [...this.#there].find(
            ([, each]) => each.isActive === undefined && each.subnetID === subnetID && each.nodeID === nodeID,
          ) ?? []
        return left ? [departure(left, DepartureReason.removed)] : []
      }
      case "SetL1ValidatorWeightTx": {
        const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
        if (weight > 0n) return []
        return [...refundOf(validationID, tx.outputs.length), departure(validationID, DepartureReason.removed)]
      }
      case "DisableL1ValidatorTx":
        return refundOf(tx.validationID, tx.outputs.length)
      default:
        return []
    }
  }

  /** Returns the names of the rewards that are numbered under a transaction. The facts say which of them are fees. */
  #rewardsUnder(txID: ID, stakerID: ID, facts: readonly Fact[]): string[] {
    const own = RewardKind[requireStaker(this.#view, stakerID).role === "validator" ? "validation" : "delegation"]
    return [...this.#view.rows(tables.rewardUtxos, { under: { txID } })].map(([{ outputIndex }]) => {
      this.#rewards++
      const isFee = facts.some((each) => nameOf(each) === reward(txID, outputIndex, RewardKind.delegationFee))
      return reward(txID, outputIndex, isFee ? RewardKind.delegationFee : own)
    })
  }

  /** Compares who is there after all blocks with the state. */
  *faultsAtEnd(): Iterable<string> {
    const [view, there] = [this.#view, this.#there]
    for (const table of [tables.currentStakers, tables.pendingStakers])
      for (const [key, { txID }] of view.rows(table)) if (!there.delete(txID)) yield this.#hasLeft(table, key, txID)
    for (const [validationID, validator] of view.rows(tables.l1Validators)) {
      const member = there.get(validationID)
      if (!member) yield this.#hasLeft(tables.l1Validators, validationID, validationID)
      else if (member.isActive !== isActiveL1(validator))
        yield this.#otherBalance(validationID, validator.endAccumulatedFee, { table: "l1Validators" })
      there.delete(validationID)
    }
    for (const [id, member] of there) yield this.#hasNotLeft(id, member)
    for (const _ of view.rows(tables.rewardUtxos)) this.#rewards--
    if (this.#rewards !== 0) yield* this.#surplusRewards()
  }

  /** Names a staker or an L1 validator that the state has, and that left or never came. */
  #hasLeft<K, V>(table: Table<K, V>, key: K, id: ID): string {
    const found = this.#recorded((fact) => fact.kind === "departure" && fact.stakerID === id)
    if (!found) return rowFault(this.#view, table, key, { source: "the blocks", due: undefined })
    return extra(...found, `${table.name} has it still: ${valueText(table, this.#view.get(table, key))}`)
  }

  /** Names a staker or an L1 validator that the state does not have, and the block in which it had to leave. */
  #hasNotLeft(id: ID, { since, isActive, end }: Member): string {
    const table = isActive === undefined ? "currentStakers" : "l1Validators"
    const expires = end === undefined ? undefined : this.#blockAfter(end)
    const reason = end === undefined ? "" : ` with the reason ${DepartureReason.expired}`
    const at = expires === undefined ? `up to ${heightOf(this.#view)}` : `under ${expires}`
    return `facts has ${at} nothing about the departure of ${idText(id)}${reason}, which block ${since} added${end === undefined ? "" : ` until ${end}`}, and ${table} has no row of it`
  }

  /** Returns the height of the first block at a time or after it. */
  #blockAfter(time: bigint): bigint | undefined {
    for (const accepted of acceptedBlocks(this.#view, this.#genesis)) {
      const block = accepted.at(-1) as AcceptedBlock
      if (block.time >= time) return accepted[0]?.height
    }
    return undefined
  }

  /** Returns the first fact that is the one, with the height of its block. */
  #recorded(isIt: (fact: Fact) => boolean): [height: bigint, fact: Fact] | undefined {
    for (const [height, facts] of this.#view.rows(tables.facts)) {
      const fact = facts.find(isIt)
      if (fact) return [height, fact]
    }
    return undefined
  }

  /** Names the balance of an L1 validator that is used up by the facts alone, or by a table alone, before a height or at last. */
  #otherBalance(id: ID, end: bigint, { table, before }: { readonly table: string; readonly before?: bigint }): string {
    const when = before === undefined ? "" : ` before block ${before}`
    const found = end > 0n ? this.#recorded((fact) => fact.kind === "runOut" && fact.validationID === id) : undefined
    if (found) return extra(...found, `${table} has it with the end ${end}${when}`)
    const subnetID = this.#there.get(id)?.subnetID as ID
    for (const [{ height, stakerID }, { before: row }] of this.#view.rows(tables.l1MemberDiffs, { under: { subnetID } })) {
      // It came with a balance where it was nothing before.
      const isOver = row?.endAccumulatedFee === 0n
      if (stakerID !== id || (before !== undefined && height >= before) || isOver) continue
      const had = row ? `it had the end ${row.endAccumulatedFee} before that block by l1MemberDiffs` : "it came in that block"
      return `facts has under ${height} nothing about ${runOut(id)}, and ${had}, and ${table} has it with the end ${end}${when}`
    }
    return `facts has up to ${before ?? heightOf(this.#view)} nothing about ${runOut(id)}, and ${table} has it with the end ${end}${when}`
  }

  /** Finds the rewards that are numbered under a transaction which pays none. */
  *#surplusRewards(): Iterable<string> {
    const paying = new Set<ID>()
    for (const accepted of acceptedBlocks(this.#view, this.#genesis)) {
      for (const { tx } of accepted.flatMap(({ txs }) => txs)) {
        if (tx.unsignedTx.kind === "RewardValidatorTx") paying.add(tx.unsignedTx.txID)
        if (tx.unsignedTx.kind === "RewardAutoRenewedValidatorTx") paying.add(tx.id)
      }
    }
    for (const [key] of this.#view.rows(tables.rewardUtxos))
      if (!paying.has(key.txID)) yield rowFault(this.#view, tables.rewardUtxos, key, { source: "the blocks", due: undefined })
  }
}

const departure = (stakerID: ID, reason: number) => `the departure of ${idText(stakerID)} with the reason ${reason}`
const reward = (txID: ID, outputIndex: number, kind: number) =>
  `the reward ${outputIndex} of ${idText(txID)} with the kind ${kind}`

/** Names a fact by what the transaction or the state says, too. */
function nameOf(fact: Fact): string {
  switch (fact.kind) {
    case "departure":
      return departure(fact.stakerID, fact.reason)
    case "reward":
      return reward(fact.txID, fact.outputIndex, fact.rewardKind)
    case "refund":
      return `the refund ${fact.utxo.outputIndex} of ${idText(fact.utxo.txID)}`
    case "runOut":
      return runOut(fact.validationID)
  }
}

const runOut = (validationID: ID) => `the end of the balance of ${idText(validationID)}`

/** Names a fact with its step. */
const placeOf = (fact: Fact): string => `${fact.step} ${nameOf(fact)}`

const extra = (height: bigint, fact: Fact, due: string): string =>
  `facts has under ${height} ${printJson(toJson(factCodec, fact, { hrp: "local" }) as Json)}, and ${due}`
