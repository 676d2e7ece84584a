import { type BlockBody, blockOf, decodeBlock } from "../../../src/core/blocks/block.js"
import { preferredOption } from "../../../src/core/chain/options.js"
import { checkBlockSize, checkTxSize } from "../../../src/core/chain/sizes.js"
import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import type { Upgrades } from "../../../src/core/networks/upgrades.js"
import type { Rules } from "../../../src/core/rules/context.js"
import { rewardOf } from "../../../src/core/rules/reward.js"
import { rewardConfigFor, uptimeRequirementFor } from "../../../src/core/rules/staking.js"
import { Priority } from "../../../src/core/state/staker.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { decodeTx, signedTxOf } from "../../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { signTx } from "../../fixtures/keys.js"
import { NODE, NOW, smallState, tryTx } from "../../fixtures/smallChain.js"
import { given, rulesWith, stakerWith, upgradesThrough } from "../../fixtures/state.js"
import { idOfByte, nodeIDOfByte, validTxs } from "../../fixtures/txs.js"
import { balanced, validFor } from "../../fixtures/validFor.js"
import { refusalCode } from "../../refusal.js"
import type { Entry, Group } from "../group.js"
import { checkCycleEnd, checkRestake } from "./heliconCycle.js"
import { checkHeliconTx } from "./heliconTx.js"
import { configOf } from "./rewards.js"

/** helicon.json: the changes of Helicon. */
export const helicon: Group = {
  calculate({ input, expected }, verdict) {
    const rules = rulesWith({ reward: configOf(input.config) }, withHelicon(BigInt(input.heliconTime)))
    const config = rewardConfigFor(given(), rules, PRIMARY_NETWORK_ID, BigInt(input.stakeStart))
    const reward = rewardOf(config, BigInt(input.durationSeconds), BigInt(input.stake), BigInt(input.currentSupply))
    verdict.equal("reward", reward, expected.reward)
  },
  restake: checkRestake,
  cycleEnd: checkCycleEnd,
  preference({ input, expected }, verdict) {
    const start = BigInt(input.primaryValidatorStart)
    const rules = rulesWith({}, withHelicon(BigInt(input.heliconTime)))
    const staking = { ...rules.params.staking, uptimeRequirement: Number(input.configuredRequirement) }
    const configured = { ...rules, params: { ...rules.params, staking } }
    verdict.equal("required", uptimeRequirementFor(given(), configured, PRIMARY_NETWORK_ID, start), Number(expected.required))
    verdict.equal("preferred", preferenceOf(input, configured), expected.preferred)
  },
  duration({ input, expected }, verdict) {
    const code = durationCode(input)
    if (expected.error === undefined) verdict.equal("valid", code === undefined, expected.valid)
    else verdict.equal(`code of ${expected.error}`, code, codes[expected.error])
  },
  size({ input, expected }, verdict) {
    const code = refusalCode(() => sized[input.what as keyof typeof sized](input))
    if (expected.error === undefined) verdict.equal("valid", code === undefined, expected.valid)
    else verdict.equal(`code of ${expected.error}`, code, codes[expected.error])
  },
  tx: checkHeliconTx,
}

/** AvalancheGo's names of errors, and our codes for them. */
const codes: Readonly<Record<string, string>> = {
  ErrStakeTooShort: "rules.stake_too_short",
  ErrStakeTooLong: "rules.stake_too_long",
  errMissingPeriod: "tx.missing_period",
  ErrBlockTooBigPreHelicon: "block.too_large_before_helicon",
  ErrTxTooBigPreHelicon: "chain.tx_too_large_before_helicon",
  ErrUnmarshalTooBig: "codec.too_large",
}

function withHelicon(time: bigint): Upgrades {
  const upgrades = upgradesThrough("granite")
  return { ...upgrades, times: { ...upgrades.times, helicon: time } }
}

/** The vote of a node on the reward of a validator of the primary network. */
function preferenceOf({ rewardTx, measured, primaryValidatorStart }: Entry, rules: Rules): string {
  const isAutoRenewed = rewardTx === "RewardAutoRenewedValidatorTx"
  const stakerTx = signedTxOf(validTxs[isAutoRenewed ? "AddAutoRenewedValidatorTx" : "AddPermissionlessValidatorTx"], [])
  const reward: UnsignedTx = isAutoRenewed
    ? { kind: "RewardAutoRenewedValidatorTx", txID: stakerTx.id, timestamp: 1n }
    : { kind: "RewardValidatorTx", txID: stakerTx.id }
  const state = given()
  state.put(tables.txs, stakerTx.id, { status: TxStatus.committed, height: 1n, bytes: stakerTx.bytes })
  const startTime = BigInt(primaryValidatorStart)
  const primary = stakerWith({ priority: Priority.primaryValidatorCurrent, nodeID: nodeIDOfByte(0x31), startTime })
  state.put(tables.currentValidators, primary, primary)
  const body = {
    kind: "BanffProposalBlock",
    time: 1n,
    txs: [],
    parentID: idOfByte(1),
    height: 1n,
    tx: signedTxOf(reward, []),
  } as const
  const block = blockOf(body as BlockBody) as Parameters<typeof preferredOption>[0]
  return preferredOption(block, state, rules, (_nodeID, since) => (since === startTime ? Number(measured) : undefined))
}

/** The code with which the small chain, at its own time, refuses a staker of this duration. */
function durationCode(input: Entry): string | undefined {
  const [kind] = input.tx.split(" ") as [TxKind]
  const duration = BigInt(input.durationSeconds)
  const rules = rulesWith({}, withHelicon(NOW + BigInt(input.heliconTime) - BigInt(input.chainTime)))
  const staking = {
    ...rules.params.staking,
    minStakeDuration: BigInt(input.minStakeDuration),
    heliconMinStakeNanoseconds: BigInt(input.heliconMinStakeDuration) * SECOND,
    maxStakeDuration: BigInt(input.maxStakeDuration),
  }
  const { tx, signers } = validFor(kind)
  const lasting = "period" in tx ? { ...tx, period: duration } : { ...tx, validator: { ...validatorIn(tx), end: NOW + duration } }
  const signed = signTx(balanced(lasting as UnsignedTx, "granite"), signers)
  // The node validates the primary network for longer than anyone may delegate to it.
  const state = smallState()
  const primary = state.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID: NODE })!
  state.put(tables.currentValidators, primary, { ...primary, endTime: NOW + 100_000_000n })
  return refusalCode(() => tryTx(signed, { ...rules, params: { ...rules.params, staking } }, { state }))
}

function validatorIn(tx: UnsignedTx): { readonly end: bigint } {
  if (!("validator" in tx)) throw new Error(`${tx.kind} names no validator`)
  return tx.validator
}

/** Decodes a transaction or block of a size, and checks the limit of its time. */
const sized = {
  transaction(input: Entry): void {
    const tx = decodeTx(txOf(Number(input.size)).bytes)
    checkTxSize(tx, { upgrades: withHelicon(BigInt(input.heliconTime)), now: BigInt(input.clock) })
  },
  block(input: Entry): void {
    const bodyOf = (size: number) =>
      blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: idOfByte(1), height: 1n, txs: [txOf(size)] })
    const rest = bodyOf(1_000).bytes.length - 1_000
    const block = decodeBlock(bodyOf(Number(input.size) - rest).bytes)
    checkBlockSize(block, { upgrades: withHelicon(BigInt(input.heliconTime)) }, BigInt(input.lastAcceptedChainTime))
  },
}

/** A transaction of `size` bytes. */
function txOf(size: number) {
  const withMemo = (length: number) => signedTxOf({ ...validTxs.BaseTx, memo: new Uint8Array(length) }, [])
  return withMemo(size - withMemo(0).bytes.length)
}
