import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import type { Json } from "../../../src/core/lib/json.js"
import { AVAX } from "../../../src/core/networks/params.js"
import { upTo } from "../../../src/core/networks/upgrades.js"
import { signedTxOf } from "../../../src/core/txs/tx.js"
import { idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID, parseID, parseNodeID } from "../../../src/core/types/id.js"
import { bls } from "../../../src/platform/backends.js"
import type { RunningNode } from "../methods/runningNode.js"
import { account, DAY, jsonNumber, keys, START, startDevNode, written } from "./fixture.js"

type CallResult = Record<string, Json>

const STAKE = 2_000n * AVAX
const PERIOD = 14 * DAY
const nodeID = "ee".repeat(20) as NodeID
/** The owner of the validators of `dev.addValidators`. */
const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const ownerOf = (index: number) => ({
  kind: "OutputOwners",
  locktime: 0n,
  threshold: 1,
  addresses: [keys[index]!.address],
})
const spelledOwner = (index: number) => ({ locktime: "0", threshold: "1", addresses: [account(index)] })

describe.each(["contract", "avalanchego"] as const)("an auto-renewed validator in the dialect %s", (dialect) => {
  let node: RunningNode
  beforeAll(async () => {
    node = await startDevNode(dialect, { choice: { now: START, upgrades: upTo("helicon") } })
  })
  afterAll(() => node.stop())

  const call = <T = CallResult>(method: string, params?: Json) => node.call<T>(method, params)
  const record = async () => {
    const { validators } = await call<{ validators: CallResult[] }>("platform.getCurrentValidators", {
      nodeIDs: [nodeIDText(nodeID)],
    })
    return validators[0]
  }
  /** The newest stake of account 0, reduced to what it has restaked. */
  const stakeFound = async () => {
    const { stakes } = await call<{ stakes: CallResult[] }>("platform.getStakesByAddress", { address: account(0), limit: 1 })
    const { state, restakedValidationRewards, restakedDelegateeRewards } = stakes[0]!
    return { state, restakedValidationRewards, restakedDelegateeRewards }
  }
  /** The transaction that ends a cycle at this time. */
  const endAt = (txID: string, timestamp: bigint) =>
    idText(signedTxOf({ kind: "RewardAutoRenewedValidatorTx", txID: parseID(txID), timestamp }, []).id)

  /** Account 0 stakes, account 1 gets rewards for validating, 2 those of delegations, and 3 may reconfigure it. */
  const stake = () => {
    const secret = new Uint8Array(32).fill(9)
    const output = { ...ownerOf(0), kind: "TransferOutput", amount: STAKE }
    const fields = {
      nodeID: hexToBytes(nodeID),
      signer: { kind: "ProofOfPossession", publicKey: bls().publicKey(secret), proofOfPossession: bls().signPossession(secret) },
      stake: [{ assetID: node.chain.data.rules.avaxAssetID, output }],
      validationRewardsOwner: ownerOf(1),
      delegationRewardsOwner: ownerOf(2),
      validatorAuthority: ownerOf(3),
      delegationShares: 100_000,
      autoCompoundRewardShares: 400_000,
      period: BigInt(PERIOD),
    }
    return written(node, 0, "AddAutoRenewedValidatorTx", fields, STAKE)
  }

  test("is listed, rewarded and found under every cycle until it is configured to stop", async () => {
    const { hex, id: txID } = stake()
    await call("platform.issueTx", { tx: hex })
    const first = await record()
    expect(first).toMatchObject({
      txID,
      startTime: String(START),
      endTime: String(START + BigInt(PERIOD)),
      weight: String(STAKE),
      delegationFee: "10.0000",
      signer: { publicKey: `0x${toHex(bls().publicKey(new Uint8Array(32).fill(9)))}` },
      validationRewardOwner: spelledOwner(1),
      delegationRewardOwner: spelledOwner(2),
      validatorAuthority: spelledOwner(3),
      nextPeriod: String(PERIOD),
      autoCompoundRewardShares: "400000",
      restakedValidationRewards: "0",
      restakedDelegateeRewards: "0",
    })
    expect(await stakeFound()).toEqual({ state: "active", restakedValidationRewards: "0", restakedDelegateeRewards: "0" })
    const { tx } = await call<{ tx: { unsignedTx: CallResult } }>("platform.getTx", { txID, encoding: "json" })
    const authority = { addresses: [account(3)], locktime: 0, threshold: 1 }
    expect(tx.unsignedTx).toMatchObject({
      nodeID: `0x${nodeID}`,
      validatorAuthority: authority,
      delegationShares: 100_000,
      autoCompoundRewardShares: 400_000,
      period: PERIOD,
    })

    await call("dev.advanceTime", { seconds: PERIOD })
    const reward = BigInt(first!.potentialReward as string)
    const paid = (600_000n * reward) / 1_000_000n
    const second = await record()
    const restaked = { restakedValidationRewards: String(reward - paid), restakedDelegateeRewards: "0" }
    expect(second).toMatchObject({
      ...{ txID, startTime: String(START + BigInt(PERIOD)), weight: String(STAKE + reward - paid) },
      ...restaked,
    })
    expect(await stakeFound()).toEqual({ state: "active", ...restaked })
    const end = endAt(txID, START + BigInt(PERIOD))
    expect(await call("platform.getTxStatus", { txID: end })).toMatchObject({ status: "Committed" })
    expect(await call("platform.getTx", { txID: end, encoding: "json" })).toMatchObject({
      tx: { unsignedTx: { txID, timestamp: Number(START) + PERIOD }, credentials: [], id: end },
    })
    expect(await call("platform.getRewardUTXOs", { txID: end })).toMatchObject({ numFetched: "1" })
    expect(await call("platform.getRewardUTXOs", { txID })).toMatchObject({ numFetched: "0", utxos: [] })
    const { staked } = await call("platform.getStake", { addresses: [account(0)] })
    expect(staked).toBe(String(STAKE))

    const config = {
      txID: parseID(txID),
      auth: { kind: "Input", signatureIndices: [0] },
      autoCompoundRewardShares: 7,
      period: 0n,
    }
    const stop = written(node, 3, "SetAutoRenewedValidatorConfigTx", config)
    await call("platform.issueTx", { tx: stop.hex })
    expect(await record()).toMatchObject({ ...second, nextPeriod: "0", autoCompoundRewardShares: "7" })
    const configured = await call<{ tx: { unsignedTx: CallResult } }>("platform.getTx", { txID: stop.id, encoding: "json" })
    expect(configured.tx.unsignedTx).toMatchObject({ txID, auth: { signatureIndices: [0] }, period: 0 })

    await call("dev.advanceTime", { seconds: PERIOD })
    expect(await record()).toBeUndefined()
    expect(await stakeFound()).toEqual({ state: "ended" })
    const last = BigInt(second!.potentialReward as string) + reward - paid
    const { rewards } = await call<{ rewards: CallResult[] }>("platform.getRewardsByAddress", { address: account(1) })
    expect(rewards.map(({ amount, stakerTxID, kind }) => [amount, stakerTxID, kind])).toEqual([
      [String(last), txID, "validation"],
      [String(paid), txID, "validation"],
    ])
    const { txs } = await call<{ txs: CallResult[] }>("platform.getTxsByAddress", { address: account(0), limit: 3 })
    expect(txs.map(({ txID, kind }) => [txID, kind])).toEqual([
      [endAt(txID, START + 2n * BigInt(PERIOD)), "RewardAutoRenewedValidatorTx"],
      [end, "RewardAutoRenewedValidatorTx"],
      [txID, "AddAutoRenewedValidatorTx"],
    ])
    const { fee, kind } = await call("platform.getTxInfo", { txID: end })
    expect([fee, kind]).toEqual(["0", "RewardAutoRenewedValidatorTx"])
    await call("dev.reset")
  })

  test("may be added by the developer's method, and its paid and lost rewards have their kinds", async () => {
    const added = await call<{ nodeIDs: string[]; txIDs: string[] }>("dev.addValidators", {
      count: 2,
      delegators: 1,
      autoRenew: { period: 2 * DAY, compound: 100 },
    })
    const rewards = async () => {
      const { rewards } = await call<{ rewards: CallResult[] }>("platform.getRewardsByAddress", { address: EWOQ })
      return rewards.map(({ stakerTxID, kind, height }) => [stakerTxID, kind, height])
    }
    const [kept, lost] = [added.txIDs[0]!, added.txIDs[2]!]
    const before = BigInt((await call("dev.status")).height as string)
    await call("dev.advanceTime", { seconds: 2 * DAY })
    // The delegators were paid, and all that the validators earned was restaked.
    expect((await rewards()).map(([, kind]) => kind)).toEqual(["delegation", "delegation"])
    await call("dev.setUptime", { nodeID: added.nodeIDs[1]!, percent: 0 })
    await call("dev.advanceTime", { seconds: 2 * DAY })
    const { validators } = await call<{ validators: CallResult[] }>("platform.getCurrentValidators", { nodeIDs: added.nodeIDs })
    expect(validators.map(({ txID }) => txID)).toEqual([kept])
    const { weight, restakedValidationRewards: own, restakedDelegateeRewards: shared } = validators[0] as Record<string, string>
    expect([BigInt(own!) > 0n, BigInt(shared!) > 0n, BigInt(own!) + BigInt(shared!)]).toEqual([
      true,
      true,
      BigInt(weight!) - STAKE,
    ])
    const height = (await rewards())[0]![2]
    expect((await rewards()).slice(0, 2)).toEqual([
      [lost, "delegationFee", height],
      [lost, "validation", height],
    ])
    expect(jsonNumber(BigInt(height as string) - before)).toBeGreaterThan(8)
    expect((await node.ask("dev.addValidators", { count: 1, duration: DAY, autoRenew: { period: DAY } })).error).toBeDefined()
    await call("dev.reset")
  })

  test("leaves when the developer's method says so, and restakes the share that it was given", async () => {
    const { nodeIDs } = await call<{ nodeIDs: string[] }>("dev.addValidators", { count: 2, autoRenew: { period: 2 * DAY } })
    const [leaving, staying] = nodeIDs as [string, string]
    const weights = async () => {
      const { validators } = await call<{ validators: CallResult[] }>("platform.getCurrentValidators", { nodeIDs })
      return Object.fromEntries(validators.map(({ nodeID, weight }) => [nodeID, BigInt(weight as string)]))
    }
    const before = await weights()
    await call("dev.setAutoRenewedConfig", { nodeID: leaving, period: 0 })
    await call("dev.setAutoRenewedConfig", { nodeID: staying, compound: 0, period: 4 * DAY })
    await call("dev.advanceTime", { seconds: 2 * DAY })
    expect(await weights()).toEqual({ [staying]: before[staying] })
    await call("dev.setAutoRenewedConfig", { nodeID: staying, compound: 100 })
    await call("dev.advanceTime", { seconds: 2 * DAY })
    expect(await weights()).toEqual({ [staying]: before[staying] })
    await call("dev.advanceTime", { seconds: 2 * DAY })
    expect((await weights())[staying]).toBeGreaterThan(before[staying]!)
    await call("dev.reset")
  })

  test("is paid only the commission of its delegations when it loses the reward of its first cycle", async () => {
    const added = await call<{ nodeIDs: string[]; txIDs: string[] }>("dev.addValidators", {
      count: 1,
      autoRenew: { period: 4 * DAY },
    })
    const [named, txID] = [added.nodeIDs[0]!, added.txIDs[0]!]
    const weight = 100n * AVAX
    const output = { ...ownerOf(1), kind: "TransferOutput", amount: weight }
    const fields = {
      validator: { nodeID: parseNodeID(named), start: 0n, end: START + BigInt(2 * DAY), weight },
      subnetID: PRIMARY_NETWORK_ID,
      stake: [{ assetID: node.chain.data.rules.avaxAssetID, output }],
      rewardsOwner: ownerOf(1),
    }
    await call("platform.issueTx", { tx: written(node, 1, "AddPermissionlessDelegatorTx", fields, weight).hex })
    await call("dev.advanceTime", { seconds: 2 * DAY })
    await call("dev.setUptime", { nodeID: named, percent: 0 })
    expect(await call("dev.advanceTime", { seconds: 2 * DAY })).toMatchObject({ rewarded: 0, aborted: 1 })
    const { rewards } = await call<{ rewards: CallResult[] }>("platform.getRewardsByAddress", { address: EWOQ })
    expect(rewards).toMatchObject([{ stakerTxID: txID, kind: "delegationFee" }])
    await call("dev.reset")
  })
})
