import { describe, expect, test } from "vitest"
import { AVAX as NAVAX } from "../../src/core/networks/params.js"
import { toGas } from "../../src/core/rules/gas.js"
import { Diff } from "../../src/core/state/diff.js"
import { Priority } from "../../src/core/state/staker.js"
import { tables } from "../../src/core/state/tables.js"
import { complexityOf, executeTx, proposeTx } from "../../src/core/txs/execute.js"
import type { Tx } from "../../src/core/txs/tx.js"
import type { TxKind } from "../../src/core/txs/unsignedTx.js"
import { PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { innerOutput } from "../../src/core/types/output.js"
import { utxoID } from "../../src/core/types/utxo.js"
import { conversionIDOf, initialValidationIDOf, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../src/platform/backends.js"
import { blsKeyOf, ownerOf, signTx } from "../fixtures/keys.js"
import {
  AUTO_NODE,
  AUTO_TX,
  alice,
  bob,
  DUE_TX,
  EXPORTED,
  endCycle,
  L1,
  L1_NODE,
  MANAGER_ADDRESS,
  MANAGER_CHAIN,
  NEW_NODE,
  NODE,
  NOW,
  OTHER_NODE,
  RENEWAL,
  SUBNET,
  smallRules,
  smallState,
  VALIDATION,
  X_CHAIN,
} from "../fixtures/smallChain.js"
import { blockContextWith } from "../fixtures/state.js"
import { registration, validFor } from "../fixtures/validFor.js"

/** The effects of a transaction besides consumed and produced UTXOs: every changed row, by table and key. */
type Effects = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface ExecutionResult {
  readonly tx: Tx
  readonly effects: Effects
  /** Outputs that became UTXOs of the transaction: their index and amount. */
  readonly made: readonly (readonly [number, bigint])[]
  /** The number of removed UTXOs. */
  readonly spent: number
}

/** Runs the fixture of a kind on the small chain. */
function executed(kind: TxKind): ExecutionResult {
  const { tx: unsignedTx, signers, last } = validFor(kind)
  const tx = signTx(unsignedTx, signers)
  const state = smallState()
  const diff = new Diff(state)
  const price = last === "granite" || last === "helicon" ? 1n : undefined
  executeTx(tx, diff, { blockContext: blockContextWith(smallRules(last), NOW, state), price, mayReturn: false })
  return { tx, ...changesOf(diff, tx) }
}

function changesOf(diff: Diff, tx: Tx): Omit<ExecutionResult, "tx"> {
  const effects: Record<string, Record<string, unknown>> = {}
  const made: [number, bigint][] = []
  let spent = 0
  for (const [table, rows] of diff.edits) {
    for (const [key, { value }] of rows) {
      if (table !== tables.utxos) {
        effects[table.name] = { ...effects[table.name], [key]: value }
        continue
      }
      const utxo = diff.get(tables.utxos, key as never)
      if (!utxo) spent++
      else if (utxo.txID === tx.id) made.push([utxo.outputIndex, innerOutput(utxo.output).amount])
    }
  }
  return { effects, made: made.sort(([a], [b]) => a - b), spent }
}

const gasOf = (tx: Tx) => toGas(complexityOf(tx.unsignedTx), smallRules("granite").params.dynamicFee.weights)
const uncompressed = (number: number) => bls().decompressKey(blsKeyOf(number).publicKey)
const day = 86_400n

describe("on the small chain", () => {
  test("a payment consumes and produces UTXOs, and changes nothing else", () => {
    const { tx, effects, made, spent } = executed("BaseTx")
    expect([effects, made, spent]).toEqual([{}, [[0, 1_000_000n * NAVAX - gasOf(tx)]], 1])
  })

  test("a new subnet is listed with its owner", () => {
    const { tx, effects } = executed("CreateSubnetTx")
    expect(effects).toEqual({ subnets: { [tx.id]: null }, subnetOwners: { [tx.id]: ownerOf(bob) } })
  })

  test("a transferred subnet has its new owner", () => {
    expect(executed("TransferSubnetOwnershipTx").effects).toEqual({ subnetOwners: { [SUBNET]: ownerOf(bob) } })
  })

  test("a new chain is listed with its subnet", () => {
    const { tx, effects } = executed("CreateChainTx")
    const { vmID } = tx.unsignedTx as { vmID: unknown } & object
    expect(effects).toEqual({ chains: { [tx.id]: { subnetID: SUBNET, chainName: "Chain 1", vmID } } })
  })

  test("an export writes its outputs for the other chain, with the next indices", () => {
    const { tx, effects, made } = executed("ExportTx")
    const key = tables.atomicUtxos.key.toText({ receiver: X_CHAIN, sender: PRIMARY_NETWORK_ID, utxoID: utxoID(tx.id, 1) })
    expect(effects).toEqual({ atomicUtxos: { [key]: { value: expect.any(Uint8Array), traits: [alice.address] } } })
    expect(made).toEqual([[0, 999_999n * NAVAX - gasOf(tx)]])
  })

  test("an import consumes the UTXOs of the other chain", () => {
    const { tx, effects, made } = executed("ImportTx")
    const key = tables.atomicUtxos.key.toText({ receiver: PRIMARY_NETWORK_ID, sender: X_CHAIN, utxoID: utxoID(EXPORTED, 0) })
    expect([effects, made]).toEqual([{ atomicUtxos: { [key]: undefined } }, [[0, 2_000_000n * NAVAX - gasOf(tx)]]])
  })

  test("a subnet validator begins at once, and its stake is a weight without funds", () => {
    const { tx, effects } = executed("AddSubnetValidatorTx")
    const staker = {
      txID: tx.id,
      nodeID: NODE,
      subnetID: SUBNET,
      publicKey: undefined,
      weight: 3n,
      startTime: NOW,
      endTime: NOW + 10n * day,
      nextTime: NOW + 10n * day,
      potentialReward: 0n,
      priority: Priority.subnetPermissionedValidatorCurrent,
    }
    expect(effects).toEqual({
      currentValidators: { [SUBNET + NODE]: staker },
      currentStakers: { [tables.currentStakers.key.toText(staker)]: staker },
      members: { [SUBNET + NODE]: { weight: 3n, publicKey: uncompressed(1) } },
    })
  })

  test("a removed subnet validator leaves every list", () => {
    const { effects } = executed("RemoveSubnetValidatorTx")
    const staker = smallState().get(tables.currentValidators, { subnetID: SUBNET, nodeID: OTHER_NODE })!
    expect(effects).toEqual({
      currentValidators: { [SUBNET + OTHER_NODE]: undefined },
      currentStakers: { [tables.currentStakers.key.toText(staker)]: undefined },
      members: { [SUBNET + OTHER_NODE]: undefined },
    })
  })

  test("a primary network validator begins at once, with its potential reward added to the supply", () => {
    const { tx, effects, made } = executed("AddPermissionlessValidatorTx")
    const supply = 360_000_000n * NAVAX
    // (20,000 × 10 + 100,000 × 365) × 2,000 AVAX × 10 days ÷ (365² × 1,000,000). The supply is half of its maximum.
    const potentialReward = 5_509_476_449n
    const staker = {
      txID: tx.id,
      nodeID: NEW_NODE,
      subnetID: PRIMARY_NETWORK_ID,
      publicKey: blsKeyOf(3).publicKey,
      weight: 2_000n * NAVAX,
      startTime: NOW,
      endTime: NOW + 10n * day,
      nextTime: NOW + 10n * day,
      potentialReward,
      priority: Priority.primaryValidatorCurrent,
    }
    expect(effects).toEqual({
      supplies: { [PRIMARY_NETWORK_ID]: supply + potentialReward },
      currentValidators: { [PRIMARY_NETWORK_ID + NEW_NODE]: staker },
      currentStakers: { [tables.currentStakers.key.toText(staker)]: staker },
      members: { [PRIMARY_NETWORK_ID + NEW_NODE]: { weight: staker.weight, publicKey: uncompressed(3) } },
    })
    expect(made).toEqual([[0, 998_000n * NAVAX - gasOf(tx)]])
  })

  test("a delegator adds to its validator's weight", () => {
    const { tx, effects } = executed("AddPermissionlessDelegatorTx")
    const [staker] = Object.values(effects.currentStakers!)
    expect(staker).toMatchObject({ txID: tx.id, nodeID: NODE, weight: 25n * NAVAX, priority: Priority.primaryDelegatorCurrent })
    expect(effects.members).toEqual({ [PRIMARY_NETWORK_ID + NODE]: { weight: 2_050n * NAVAX, publicKey: uncompressed(1) } })
    expect(Object.keys(effects).sort()).toEqual(["currentDelegators", "currentStakers", "members", "supplies"])
  })

  test("before Durango a validator is pending until its start, without a potential reward", () => {
    const { tx, effects } = executed("AddValidatorTx")
    const staker = {
      txID: tx.id,
      nodeID: NEW_NODE,
      subnetID: PRIMARY_NETWORK_ID,
      publicKey: undefined,
      weight: 2_000n * NAVAX,
      startTime: NOW + 10n,
      endTime: NOW + 10n * day,
      nextTime: NOW + 10n,
      potentialReward: 0n,
      priority: Priority.primaryValidatorPending,
    }
    expect(effects).toEqual({
      pendingValidators: { [PRIMARY_NETWORK_ID + NEW_NODE]: staker },
      pendingStakers: { [tables.pendingStakers.key.toText(staker)]: staker },
    })
    expect(Object.keys(executed("AddDelegatorTx").effects).sort()).toEqual(["pendingDelegators", "pendingStakers"])
  })

  test("a transformed subnet has its parameters and a supply, and its reward pool is burned", () => {
    const { tx, effects, made } = executed("TransformSubnetTx")
    expect(effects.supplies).toEqual({ [SUBNET]: 1_000n })
    expect(effects.transformations![SUBNET]).toMatchObject({ txID: tx.id, maximumSupply: 2_000n, uptimeRequirement: 800_000 })
    expect(made).toEqual([
      [0, 1_000_000n * NAVAX],
      [1, 1_000_000n * NAVAX - 1_000n],
    ])
  })

  test("a converted subnet has a manager and validators that pay from now on", () => {
    const { effects, made, tx } = executed("ConvertSubnetToL1Tx")
    const validationID = initialValidationIDOf(SUBNET, 0)
    const validators = [{ nodeID: Buffer.from(NEW_NODE, "hex"), blsPublicKey: blsKeyOf(13).publicKey, weight: 20n }]
    const data = { subnetID: SUBNET, managerChainID: MANAGER_CHAIN, managerAddress: MANAGER_ADDRESS, validators }
    const endAccumulatedFee = NAVAX + 1_000n
    expect(effects).toEqual({
      conversions: { [SUBNET]: { conversionID: conversionIDOf(data), chainID: MANAGER_CHAIN, address: MANAGER_ADDRESS } },
      l1Validators: {
        [validationID]: {
          subnetID: SUBNET,
          nodeID: NEW_NODE,
          publicKey: uncompressed(13),
          remainingBalanceOwner: { threshold: 1, addresses: [alice.address] },
          deactivationOwner: { threshold: 1, addresses: [bob.address] },
          startTime: NOW,
          weight: 20n,
          minNonce: 0n,
          endAccumulatedFee,
        },
      },
      l1ValidationIDs: { [SUBNET + NEW_NODE]: validationID },
      l1Weights: { [SUBNET]: 20n },
      activeL1Validators: { [tables.activeL1Validators.key.toText({ endAccumulatedFee, validationID })]: null },
      activeL1Count: { "00": 2n },
      members: { [SUBNET + NEW_NODE]: { weight: 20n, publicKey: uncompressed(13) } },
    })
    expect(made).toEqual([[0, 999_999n * NAVAX - gasOf(tx)]])
  })

  test("a registered validator is recorded, so that its message is not used again", () => {
    const { effects } = executed("RegisterL1ValidatorTx")
    const [validationID] = Object.keys(effects.l1Validators!)
    expect(validationID).toBe(registrationIDOf(registration))
    expect(Object.keys(effects.expiries!)).toEqual([
      tables.expiries.key.toText({ expiry: NOW + 3_600n, validationID: validationID as never }),
    ])
    expect(effects.l1Weights).toEqual({ [L1]: 105n })
    expect(effects.members).toEqual({ [L1 + NEW_NODE]: { weight: 5n, publicKey: uncompressed(13) } })
  })

  test("a validator with a new weight keeps its balance", () => {
    const { effects, made } = executed("SetL1ValidatorWeightTx")
    expect(effects.l1Validators).toEqual({ [VALIDATION]: { ...l1Validator(), weight: 7n, minNonce: 4n } })
    expect(effects.members).toEqual({ [L1 + L1_NODE]: { weight: 7n, publicKey: uncompressed(11) } })
    expect(effects.l1Weights).toEqual({ [L1]: 17n })
    expect(made.length).toBe(1)
  })

  test("an increased balance lasts longer", () => {
    const { effects } = executed("IncreaseL1ValidatorBalanceTx")
    expect(effects.l1Validators).toEqual({ [VALIDATION]: { ...l1Validator(), endAccumulatedFee: 11n * NAVAX } })
  })

  test("a disabled validator gets the rest of its balance as an output after the others, and keeps its weight without a key", () => {
    const { effects, made } = executed("DisableL1ValidatorTx")
    expect(effects.l1Validators).toEqual({ [VALIDATION]: { ...l1Validator(), endAccumulatedFee: 0n } })
    expect(effects.activeL1Count).toEqual({ "00": 0n })
    expect(effects.members).toEqual({ [L1 + L1_NODE]: undefined, [L1 + "00".repeat(20)]: { weight: 100n, publicKey: undefined } })
    expect(made[1]).toEqual([1, 10n * NAVAX - 1_000n])
  })

  test("a rewarded delegator leaves with its stake and reward, a refused one with its stake, and the supply loses its potential reward", () => {
    const state = smallState()
    const [commit, abort] = [new Diff(state), new Diff(state)]
    const tx = signTx({ kind: "RewardValidatorTx", txID: DUE_TX.id }, [])
    proposeTx(tx, commit, abort, {
      blockContext: blockContextWith(smallRules("granite"), NOW, state),
      price: 1n,
      mayReturn: false,
    })
    expect(changesOf(commit, DUE_TX).made).toEqual([
      [0, 25n * NAVAX],
      [1, 6n],
    ])
    expect(changesOf(abort, DUE_TX).made).toEqual([[0, 25n * NAVAX]])
    expect(commit.get(tables.delegateeRewards, { subnetID: PRIMARY_NETWORK_ID, nodeID: NODE })).toBe(1n)
    expect(commit.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * NAVAX)
    expect(abort.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * NAVAX - 7n)
    expect([commit, abort].map((end) => end.first(tables.currentStakers)?.[1].nodeID)).toEqual([OTHER_NODE, OTHER_NODE])
  })
})

describe("on the small chain under Helicon", () => {
  const key = { subnetID: PRIMARY_NETWORK_ID, nodeID: AUTO_NODE }

  test("an auto-renewed validator begins its first cycle at the reward rate of Helicon", () => {
    const { tx, effects, made } = executed("AddAutoRenewedValidatorTx")
    const supply = 360_000_000n * NAVAX
    // (45,000 × 10 + 75,000 × 365) × 2,000 AVAX × 10 days ÷ (365² × 1,000,000). The supply is half of its maximum.
    const potentialReward = 4_177_143_929n
    const staker = {
      txID: tx.id,
      nodeID: NEW_NODE,
      subnetID: PRIMARY_NETWORK_ID,
      publicKey: blsKeyOf(3).publicKey,
      weight: 2_000n * NAVAX,
      startTime: NOW,
      endTime: NOW + 10n * day,
      nextTime: NOW + 10n * day,
      potentialReward,
      priority: Priority.primaryValidatorCurrent,
    }
    const place = PRIMARY_NETWORK_ID + NEW_NODE
    expect(effects).toEqual({
      supplies: { [PRIMARY_NETWORK_ID]: supply + potentialReward },
      currentValidators: { [place]: staker },
      currentStakers: { [tables.currentStakers.key.toText(staker)]: staker },
      members: { [place]: { weight: staker.weight, publicKey: uncompressed(3) } },
      renewals: { [place]: { ...none, autoCompoundRewardShares: 300_000, nextPeriod: 10n * day } },
    })
    expect(made).toEqual([[0, 998_000n * NAVAX - gasOf(tx)]])
  })

  test("a new configuration changes nothing but itself", () => {
    const renewal = { ...RENEWAL, autoCompoundRewardShares: 1_000_000, nextPeriod: 20n * day }
    expect(executed("SetAutoRenewedValidatorConfigTx").effects).toEqual({
      renewals: { [PRIMARY_NETWORK_ID + AUTO_NODE]: renewal },
    })
  })

  test("a renewed validator restakes its share, is paid the rest by the reward transaction, and gets a new potential reward", () => {
    const { state, commit, tx } = ended()
    // Two fifths of 3 AVAX, and of the commission of a delegation.
    const [validation, delegatee] = [1_200_000_000n, 2_000_000n]
    const weight = 2_006n * NAVAX + validation + delegatee
    const next = commit.get(tables.currentValidators, key)!
    expect(next).toMatchObject({ txID: AUTO_TX.id, weight, startTime: NOW, endTime: NOW + 100_000n, nextTime: NOW + 100_000n })
    expect(changesOf(commit, tx).made).toEqual([
      [0, 1_800_000_000n],
      [1, 3_000_000n],
    ])
    expect(changesOf(commit, AUTO_TX).made).toEqual([])
    expect(commit.get(tables.renewals, key)).toEqual({
      ...RENEWAL,
      accruedValidationRewards: 5n * NAVAX + validation,
      accruedDelegateeRewards: NAVAX + delegatee,
    })
    expect(commit.get(tables.delegateeRewards, key)).toBeUndefined()
    const before = state.get(tables.members, key)!
    expect(commit.get(tables.members, key)).toEqual({ ...before, weight })
    expect(commit.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * NAVAX + next.potentialReward)
  })

  test("a validator that is configured to stop leaves with its stake, its reward and all that it restaked", () => {
    const { commit, tx } = ended((state) => state.put(tables.renewals, key, { ...RENEWAL, nextPeriod: 0n }))
    expect(changesOf(commit, tx).made).toEqual([
      [0, 8n * NAVAX],
      [1, NAVAX + 5_000_000n],
    ])
    expect(changesOf(commit, AUTO_TX).made).toEqual([[2, 2_000n * NAVAX]])
    const rows = [tables.currentValidators, tables.renewals, tables.delegateeRewards, tables.members]
    expect(rows.map((table) => commit.get(table as typeof tables.members, key))).toEqual(rows.map(() => undefined))
    expect(commit.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * NAVAX)
  })

  test("a validator that is refused its reward leaves, too, and loses only the reward", () => {
    const { abort, tx } = ended()
    expect(changesOf(abort, tx).made).toEqual([
      [0, 5n * NAVAX],
      [1, NAVAX + 5_000_000n],
    ])
    expect(changesOf(abort, AUTO_TX).made).toEqual([[2, 2_000n * NAVAX]])
    expect(abort.get(tables.currentValidators, key)).toBeUndefined()
    expect(abort.get(tables.supplies, PRIMARY_NETWORK_ID)).toBe(360_000_000n * NAVAX - 3n * NAVAX)
    expect([...abort.rows(tables.rewardUtxos)].map(([{ txID, outputIndex }]) => [txID, outputIndex])).toEqual([
      [tx.id, 0],
      [tx.id, 1],
    ])
  })

  /** Ends the cycle of the auto-renewed validator with commit and with abort. In the cycle it earned 0.005 AVAX from a delegation. */
  function ended(change: (state: Diff) => void = () => {}) {
    const state = smallState()
    endCycle(state)
    state.put(tables.delegateeRewards, key, 5_000_000n)
    change(state)
    const [commit, abort] = [new Diff(state), new Diff(state)]
    const tx = signTx({ kind: "RewardAutoRenewedValidatorTx", txID: AUTO_TX.id, timestamp: NOW }, [])
    proposeTx(tx, commit, abort, {
      blockContext: blockContextWith(smallRules("helicon"), NOW, state),
      price: 1n,
      mayReturn: true,
    })
    return { state, commit, abort, tx }
  }
})

const none = { accruedValidationRewards: 0n, accruedDelegateeRewards: 0n }

const l1Validator = () => smallState().get(tables.l1Validators, VALIDATION)!
