import { blockOf, executeBlock } from "../../../src/core/blocks/block.js"
import { Invalid } from "../../../src/core/lib/invalid.js"
import { FUJI_ID } from "../../../src/core/networks/names.js"
import { isActive, type UpgradeName } from "../../../src/core/networks/upgrades.js"
import { advanceChainTime, sweepLowBalances } from "../../../src/core/rules/chainTime.js"
import type { Rules, TxContext } from "../../../src/core/rules/context.js"
import { endAccumulatedFeeFor, endFeeAfterTopUp, refundL1Balance } from "../../../src/core/rules/l1.js"
import { advanceExcess, type L1FeePrice, l1FeesOver, secondsRemaining } from "../../../src/core/rules/l1Fee.js"
import { Diff } from "../../../src/core/state/diff.js"
import { isActiveL1, putL1Validator } from "../../../src/core/state/l1Validators.js"
import { type L1Validator, tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { type ID, idOf, type NodeID } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import { blockContextWith, given, row, rulesWith, timeRow, upgradesThrough } from "../../fixtures/state.js"
import { addressOfByte, idOfByte } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"
import { l1FeeOf } from "./chainTime.js"

const configOf = (entry: Entry): L1FeePrice => ({
  target: BigInt(entry.target),
  minPrice: BigInt(entry.minPrice),
  excessConversionConstant: BigInt(entry.excessConversionConstant),
})

export const validatorFees: Group = {
  advanceTime({ input, expected }, verdict) {
    const excess = advanceExcess(BigInt(input.current), BigInt(input.excess), BigInt(input.target), BigInt(input.seconds))
    verdict.equal("excess", excess, expected.excess)
  },

  costOf({ input, expected }, verdict) {
    const config = configOf(input.config)
    const [current, excess, seconds] = [BigInt(input.current), BigInt(input.excess), BigInt(input.seconds)]
    verdict.equal("cost", l1FeesOver(config, current, excess, seconds), expected.cost)
    if (expected.excessAfter === undefined) return
    verdict.equal("excess after", advanceExcess(current, excess, config.target, seconds), expected.excessAfter)
  },

  secondsRemaining({ input, expected }, verdict) {
    const config = configOf(input.config)
    const [current, excess] = [BigInt(input.current), BigInt(input.excess)]
    const seconds = secondsRemaining(config, current, excess, BigInt(input.maxSeconds), BigInt(input.funds))
    verdict.equal("seconds", seconds, expected.seconds)
  },

  advanceChainTime({ input, expected }, verdict) {
    const state = l1State(input)
    verdict.equal("after", advanced(state, input), expected)
  },

  deactivateLowBalance({ input, expected }, verdict) {
    const state = l1State(input)
    verdict.equal("after", swept(state, input), expected)
  },

  advanceThenLowBalance({ input, expected }, verdict) {
    const state = l1State(input)
    verdict.equal("afterAdvance", advanced(state, input), expected.afterAdvance)
    verdict.equal("afterLowBalance", swept(state, input), expected.afterLowBalance)
  },

  emptyStandardBlock({ input, expected }, verdict) {
    const state = l1State(input)
    const rules = rulesFor(input, input.fork.toLowerCase())
    const networkID = Number(input.networkID)
    const time = START + BigInt(input.secondsAdvanced)
    const block = blockOf({ kind: "BanffStandardBlock", time, parentID: idOfByte(1), height: 1n, txs: [] })
    const parent = { id: idOfByte(1), height: 0n, timestamp: START, state, proposal: undefined }
    const refusal = refusalOf(() => executeBlock(block, parent, { ...blockContextWith(rules, time, state), networkID }))
    // Ours is the rule of v1.14.2, where an eviction always counts. v1.13.0 had it count from Fortuna, and on Fuji.
    const evictionCounts = isActive(rules.upgrades, "fortuna", time) || networkID === FUJI_ID
    const onlyEvicts = !advanceChainTime(new Diff(state), rules, time) && refusal === undefined
    const isRefused = refusal !== undefined || (onlyEvicts && !evictionCounts)
    verdict.equal("refused", isRefused, expected.valid !== true)
    if (refusal && expected.error === "ErrStandardBlockWithoutChanges") verdict.equal("code", refusal.code, "block.no_changes")
  },

  balance({ input, expected }, verdict) {
    const change = () => balanceAfter(input)
    if (expected.error !== undefined) return verdict.refuses(`${input.operation} (${expected.error})`, change)
    verdict.equal(input.operation, change(), expected)
  },
}

const START = 1_800_000_000n

const rulesFor = ({ config }: Entry, last: UpgradeName = "granite"): Rules =>
  rulesWith({ validatorFee: l1FeeOf(config) }, upgradesThrough(last))

const validationNamed = (name: string): ID => idOf(Buffer.from(name))

const someone: Omit<L1Validator, "endAccumulatedFee" | "nodeID"> = {
  subnetID: idOfByte(0x5b),
  publicKey: new Uint8Array(96),
  remainingBalanceOwner: { threshold: 1, addresses: [addressOfByte(1)] },
  deactivationOwner: { threshold: 0, addresses: [] },
  startTime: 0n,
  weight: 1n,
  minNonce: 0n,
}

/** A state with these L1 validators and fees. */
function l1State({ validators = [], accruedFees, excess = 0 }: Entry): Diff {
  const state = given(
    timeRow(START),
    row(tables.accruedFees, null, BigInt(accruedFees)),
    row(tables.l1Excess, null, BigInt(excess)),
  )
  for (const { id, endAccumulatedFee } of validators) {
    const validationID = validationNamed(id)
    const nodeID = validationID.slice(0, 40) as NodeID
    putL1Validator(state, validationID, { ...someone, nodeID, endAccumulatedFee: BigInt(endAccumulatedFee) })
  }
  return state
}

function validatorsIn(state: View, { validators }: Entry) {
  return validators.map(({ id }: Entry) => ({
    id,
    endAccumulatedFee: state.get(tables.l1Validators, validationNamed(id))!.endAccumulatedFee,
  }))
}

function advanced(state: Diff, input: Entry) {
  const changed = advanceChainTime(state, rulesFor(input), START + BigInt(input.seconds))
  const fees = { accruedFees: state.get(tables.accruedFees, null), excess: state.get(tables.l1Excess, null) }
  return { ...fees, changed, validators: validatorsIn(state, input) }
}

function swept(state: Diff, input: Entry) {
  return { evicted: sweepLowBalances(state, rulesFor(input)), validators: validatorsIn(state, input) }
}

/** The effect of an operation on a validator's balance. */
function balanceAfter({ operation, endAccumulatedFee, accruedFees, balance }: Entry) {
  const state = l1State({ accruedFees })
  const context = {
    diff: state,
    blockContext: blockContextWith(rulesWith(), START, state),
    txID: idOfByte(7),
  } as TxContext
  const validator = { ...someone, nodeID: "01".repeat(20) as NodeID, endAccumulatedFee: BigInt(endAccumulatedFee) }
  if (operation === "increase" || operation === "register") {
    const fee =
      operation === "increase"
        ? endFeeAfterTopUp(context, validator, BigInt(balance))
        : endAccumulatedFeeFor(context, BigInt(balance))
    return { endAccumulatedFee: fee, active: isActiveL1({ ...validator, endAccumulatedFee: fee }) }
  }
  refundL1Balance(context, validator, 0)
  const [utxo] = [...state.rows(tables.utxos)]
  return { refund: utxo ? innerOutput(utxo[1].output).amount : null }
}

function refusalOf(action: () => unknown): Invalid | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
}
