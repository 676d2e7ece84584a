import { describe, expect, test } from "vitest"
import {
  AVAX,
  addressOfByte,
  context,
  conversionValidator,
  idOfByte,
  inputOf,
  lockedOutputOf,
  nodeIDOfByte,
  otherPossession,
  outputOf,
  owner,
  possession,
  validTxs,
} from "../../../test/fixtures/txs.js"
import { refusalCode } from "../../../test/refusal.js"
import { hexToBytes } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { EMPTY_ID, EMPTY_NODE_ID, idText, PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Base } from "./base.js"
import { txTypes } from "./index.js"
import { checkTx, type TxKind, type UnsignedTx } from "./unsignedTx.js"

type TxOfKind<K extends TxKind> = Extract<UnsignedTx, { kind: K }>
/** A transaction that differs in one change from a valid one: the name of the change, the changed fields, and the code of its refusal. */
type Variant<T> = readonly [what: string, change: Partial<T> | ((tx: T) => Partial<T>), code: string]

const unsortedAuth = { kind: "Input", signatureIndices: [1, 0] } as const
const badOwner = { ...owner, threshold: 2 }
const otherAsset = idOfByte(0x82)

/** Refused variants of every kind with inputs and outputs. */
const baseVariants: readonly Variant<Base>[] = [
  ["another network", { networkID: 1 }, "tx.wrong_network"],
  ["another chain", { blockchainID: idOfByte(1) }, "tx.wrong_chain"],
  ["a memo of 257 bytes", { memo: new Uint8Array(257) }, "tx.memo_too_long"],
  ["an output without asset", { outputs: [outputOf(1n, EMPTY_ID)] }, "types.empty_asset"],
  ["an output of nothing", { outputs: [outputOf(0n)] }, "types.zero_output"],
  ["a stakeable lock without time", { outputs: [lockedOutputOf(1n, 0n)] }, "types.zero_locktime"],
  ["an output nobody can spend", ownedBy(2, [1]), "types.owner_unspendable"],
  ["an output with idle addresses", ownedBy(0, [1]), "types.owner_unoptimized"],
  ["an output with addresses out of order", ownedBy(1, [2, 1]), "types.addresses_unsorted"],
  ["outputs out of order", { outputs: [outputOf(2n), outputOf(1n)] }, "types.outputs_unsorted"],
  ["an input without asset", { inputs: [inputOf(idOfByte(1), 0, 1n, EMPTY_ID)] }, "types.empty_asset"],
  ["an input of nothing", { inputs: [inputOf(idOfByte(1), 0, 0n)] }, "types.zero_input"],
  ["a locked input without time", { inputs: [lockedInput(0n, [0])] }, "types.zero_locktime"],
  ["indices out of order", { inputs: [lockedInput(5n, [1, 0])] }, "types.indices_unsorted"],
  ["inputs out of order", { inputs: [inputOf(idOfByte(2), 0, 1n), inputOf(idOfByte(1), 0, 1n)] }, "types.inputs_unsorted"],
  ["an input twice", { inputs: [inputOf(idOfByte(1), 0, 1n), inputOf(idOfByte(1), 0, 1n)] }, "types.inputs_unsorted"],
]

function ownedBy(threshold: number, bytes: readonly number[]): Partial<Base> {
  const output = { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold, addresses: bytes.map(addressOfByte) } as const
  return { outputs: [{ assetID: AVAX, output }] }
}

function lockedInput(locktime: bigint, signatureIndices: readonly number[]) {
  const input = { kind: "TransferInput", amount: 1n, signatureIndices } as const
  return { ...inputOf(idOfByte(1), 0, 1n), input: { kind: "LockIn", locktime, input } as const }
}

/** Refused variants of kinds that stake AVAX; `mismatch` is the code of a stake that is not the weight. */
const avaxStakeVariants = (mismatch: string): readonly Variant<TxOfKind<"AddDelegatorTx">>[] => [
  ["no weight", withWeight(0n), "tx.zero_weight"],
  ["rewards for nobody", { rewardsOwner: badOwner }, "types.owner_unspendable"],
  ["stake of nothing", { stake: [outputOf(0n)] }, "types.zero_output"],
  ["stake of another asset", { stake: [outputOf(3_000n, otherAsset)] }, "tx.stake_not_avax"],
  ["stake out of order", { stake: [outputOf(2_000n), outputOf(1_000n)] }, "types.outputs_unsorted"],
  ["stake that is too little", { stake: [outputOf(2_999n)] }, mismatch],
  ["no stake", { stake: [] }, mismatch],
  ["stake past 64 bits", { stake: [outputOf(1n), outputOf(MAX64)] }, "math.overflow"],
]

function withWeight(weight: bigint) {
  return <T extends { validator: object }>(tx: T) => ({ validator: { ...tx.validator, weight } }) as Partial<T>
}

/** Refused variants of kinds that stake any asset. */
const stakeVariants: readonly Variant<TxOfKind<"AddPermissionlessDelegatorTx">>[] = [
  ["no weight", withWeight(0n), "tx.zero_weight"],
  ["no stake", { stake: [] }, "tx.no_stake"],
  ["stake of nothing", { stake: [outputOf(0n)] }, "types.zero_output"],
  ["stake of two assets", { stake: [outputOf(1_000n, idOfByte(1)), outputOf(2_000n)] }, "tx.several_stake_assets"],
  ["stake out of order", { stake: [outputOf(2_000n), outputOf(1_000n)] }, "types.outputs_unsorted"],
  ["stake past 64 bits", { stake: [outputOf(1n), outputOf(MAX64)] }, "math.overflow"],
]

const transformation = (change: Partial<TxOfKind<"TransformSubnetTx">>) => change

const variants: { readonly [K in TxKind]: readonly Variant<TxOfKind<K>>[] } = {
  AddValidatorTx: [
    ["a delegation fee above 100 %", { shares: 1_000_001 }, "tx.too_many_shares"],
    ...(avaxStakeVariants("tx.stake_weight_mismatch") as readonly Variant<TxOfKind<"AddValidatorTx">>[]),
  ],
  AddDelegatorTx: avaxStakeVariants("tx.delegation_weight_mismatch"),
  AddSubnetValidatorTx: [
    [
      "the primary network",
      (tx) => ({ validator: { ...tx.validator, subnetID: PRIMARY_NETWORK_ID } }),
      "tx.subnet_is_primary_network",
    ],
    ["no weight", withWeight(0n), "tx.zero_weight"],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
  ],
  RemoveSubnetValidatorTx: [
    ["the primary network", { subnetID: PRIMARY_NETWORK_ID }, "tx.subnet_is_primary_network"],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
  ],
  CreateSubnetTx: [["an owner nobody can be", { owner: badOwner }, "types.owner_unspendable"]],
  CreateChainTx: [
    ["the primary network", { subnetID: PRIMARY_NETWORK_ID }, "tx.subnet_is_primary_network"],
    ["a name of 129 bytes", { chainName: "x".repeat(129) }, "tx.chain_name_too_long"],
    ["a name with an underscore", { chainName: "a_b" }, "tx.chain_name_character"],
    ["a name outside ASCII", { chainName: Buffer.from("⌘", "utf8").toString("latin1") }, "tx.chain_name_character"],
    ["a name with a line break", { chainName: "a\n" }, "tx.chain_name_character"],
    ["no VM", { vmID: EMPTY_ID }, "tx.empty_vm"],
    ["feature extensions out of order", { fxIDs: [idOfByte(2), idOfByte(1)] }, "tx.fx_unsorted"],
    ["a feature extension twice", { fxIDs: [idOfByte(1), idOfByte(1)] }, "tx.fx_unsorted"],
    ["a genesis past 1 MiB", { genesisData: new Uint8Array((1 << 20) + 1) }, "tx.genesis_too_long"],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
  ],
  ImportTx: [
    ["nothing imported", { importedInputs: [] }, "tx.nothing_imported"],
    ["an import of nothing", { importedInputs: [inputOf(idOfByte(1), 0, 0n)] }, "types.zero_input"],
    ["an import twice", { importedInputs: [inputOf(idOfByte(1), 0, 1n), inputOf(idOfByte(1), 0, 1n)] }, "types.inputs_unsorted"],
  ],
  ExportTx: [
    ["nothing exported", { exportedOutputs: [] }, "tx.nothing_exported"],
    ["an export of nothing", { exportedOutputs: [outputOf(0n)] }, "types.zero_output"],
    ["an export under lock", { exportedOutputs: [lockedOutputOf(1n, 5n)] }, "tx.exports_locked"],
    ["exports out of order", { exportedOutputs: [outputOf(2n), outputOf(1n)] }, "types.outputs_unsorted"],
  ],
  AdvanceTimeTx: [],
  RewardValidatorTx: [],
  TransformSubnetTx: [
    ["the primary network", { subnetID: PRIMARY_NETWORK_ID }, "tx.subnet_is_primary_network"],
    ["no asset", { assetID: EMPTY_ID }, "types.empty_asset"],
    ["AVAX as its asset", { assetID: AVAX }, "tx.asset_is_avax"],
    ["no initial supply", transformation({ initialSupply: 0n }), "tx.transformation"],
    ["more supply than there may be", transformation({ initialSupply: 2_001n }), "tx.transformation"],
    ["a least rate above the most", transformation({ minConsumptionRate: 120_001n }), "tx.transformation"],
    ["a rate above 100 %", transformation({ maxConsumptionRate: 1_000_001n }), "tx.transformation"],
    ["no least stake", transformation({ minValidatorStake: 0n }), "tx.transformation"],
    [
      "a least stake above the supply",
      transformation({ minValidatorStake: 1_001n, maxValidatorStake: 2_000n }),
      "tx.transformation",
    ],
    ["a least stake above the most", transformation({ minValidatorStake: 101n }), "tx.transformation"],
    ["a most stake above all supply", transformation({ maxValidatorStake: 2_001n }), "tx.transformation"],
    ["no least duration", transformation({ minStakeDuration: 0 }), "tx.transformation"],
    ["a least duration above the most", transformation({ minStakeDuration: 3_601 }), "tx.transformation"],
    ["a least fee above 100 %", transformation({ minDelegationFee: 1_000_001 }), "tx.transformation"],
    ["no least delegation", transformation({ minDelegatorStake: 0n }), "tx.transformation"],
    ["no weight factor", transformation({ maxValidatorWeightFactor: 0 }), "tx.transformation"],
    ["an uptime above 100 %", transformation({ uptimeRequirement: 1_000_001 }), "tx.transformation"],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
  ],
  AddPermissionlessValidatorTx: [
    ["no node", (tx) => ({ validator: { ...tx.validator, nodeID: EMPTY_NODE_ID } }), "tx.empty_node_id"],
    ["a delegation fee above 100 %", { shares: 1_000_001 }, "tx.too_many_shares"],
    ["another key's proof", { signer: { kind: "ProofOfPossession", ...mixedPossession() } }, "crypto.bls_bad_possession"],
    [
      "a key that is none",
      { signer: { kind: "ProofOfPossession", ...possession, publicKey: new Uint8Array(48) } },
      "crypto.bls_bad_public_key",
    ],
    ["no key on the primary network", { signer: { kind: "EmptySigner" } }, "tx.wrong_signer"],
    ["a key on a subnet", { subnetID: idOfByte(0x41) }, "tx.wrong_signer"],
    ["validation rewards for nobody", { validationRewardsOwner: badOwner }, "types.owner_unspendable"],
    ["delegation rewards for nobody", { delegationRewardsOwner: badOwner }, "types.owner_unspendable"],
    ["stake that is too little", { stake: [outputOf(2_999n)] }, "tx.stake_weight_mismatch"],
    ...(stakeVariants as readonly Variant<TxOfKind<"AddPermissionlessValidatorTx">>[]),
  ],
  AddPermissionlessDelegatorTx: [
    ["rewards for nobody", { rewardsOwner: badOwner }, "types.owner_unspendable"],
    ["stake that is too little", { stake: [outputOf(2_999n)] }, "tx.delegation_weight_mismatch"],
    ...stakeVariants,
  ],
  TransferSubnetOwnershipTx: [
    ["the primary network", { subnetID: PRIMARY_NETWORK_ID }, "tx.subnet_is_primary_network"],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
    ["an owner nobody can be", { newOwner: badOwner }, "types.owner_unspendable"],
  ],
  BaseTx: [],
  ConvertSubnetToL1Tx: [
    ["the primary network", { subnetID: PRIMARY_NETWORK_ID }, "tx.subnet_is_primary_network"],
    ["a manager's address of 4097 bytes", { address: new Uint8Array(4097) }, "tx.manager_address_too_long"],
    ["no validators", { validators: [] }, "tx.no_validators"],
    ["a validator twice", { validators: [conversionValidator, conversionValidator] }, "tx.validators_unsorted"],
    ["a validator without weight", changedValidator({ weight: 0n }), "tx.zero_l1_weight"],
    ["a node ID of 19 bytes", changedValidator({ nodeID: new Uint8Array(19).fill(1) }), "tx.bad_node_id"],
    ["no node ID", changedValidator({ nodeID: hexToBytes(EMPTY_NODE_ID) }), "tx.empty_node_id"],
    ["another key's proof", changedValidator({ signer: mixedPossession() }), "crypto.bls_bad_possession"],
    [
      "a balance owner nobody can be",
      changedValidator({ remainingBalanceOwner: { threshold: 1, addresses: [] } }),
      "types.owner_unspendable",
    ],
    [
      "a deactivation owner nobody can be",
      changedValidator({ deactivationOwner: { threshold: 1, addresses: [] } }),
      "types.owner_unspendable",
    ],
    ["an authorisation out of order", { subnetAuthorization: unsortedAuth }, "types.indices_unsorted"],
  ],
  RegisterL1ValidatorTx: [],
  SetL1ValidatorWeightTx: [],
  IncreaseL1ValidatorBalanceTx: [["no balance", { balance: 0n }, "tx.zero_balance"]],
  AddAutoRenewedValidatorTx: [
    ["no stake", { stake: [] }, "tx.no_stake"],
    ["a delegation fee above 100 %", { delegationShares: 1_000_001 }, "tx.too_many_shares"],
    ["more than 100 % restaked", { autoCompoundRewardShares: 1_000_001 }, "tx.too_many_restaked_shares"],
    ["no period", { period: 0n }, "tx.missing_period"],
    ["a node ID of 32 bytes", { nodeID: new Uint8Array(32).fill(1) }, "tx.bad_node_id"],
    ["no node ID", { nodeID: hexToBytes(EMPTY_NODE_ID) }, "tx.empty_node_id"],
    ["another key's proof", { signer: { kind: "ProofOfPossession", ...mixedPossession() } }, "crypto.bls_bad_possession"],
    ["no key", { signer: { kind: "EmptySigner" } }, "tx.missing_signer"],
    ["validation rewards for nobody", { validationRewardsOwner: badOwner }, "types.owner_unspendable"],
    ["delegation rewards for nobody", { delegationRewardsOwner: badOwner }, "types.owner_unspendable"],
    ["an authority nobody can be", { validatorAuthority: badOwner }, "types.owner_unspendable"],
    ["stake of nothing", { stake: [outputOf(0n)] }, "types.zero_output"],
    ["stake of another asset", { stake: [outputOf(3_000n, otherAsset)] }, "tx.invalid_staked_asset"],
    ["stake out of order", { stake: [outputOf(2_000n), outputOf(1_000n)] }, "types.outputs_unsorted"],
    ["stake past 64 bits", { stake: [outputOf(1n), outputOf(MAX64)] }, "math.overflow"],
  ],
  SetAutoRenewedValidatorConfigTx: [
    ["no transaction", { txID: EMPTY_ID }, "tx.missing_tx_id"],
    ["more than 100 % restaked", { autoCompoundRewardShares: 1_000_001 }, "tx.too_many_restaked_shares"],
    ["an authorisation out of order", { auth: unsortedAuth }, "types.indices_unsorted"],
  ],
  RewardAutoRenewedValidatorTx: [
    ["no transaction", { txID: EMPTY_ID }, "tx.missing_tx_id"],
    ["no timestamp", { timestamp: 0n }, "tx.missing_timestamp"],
  ],
  DisableL1ValidatorTx: [["an authorisation out of order", { disableAuthorization: unsortedAuth }, "types.indices_unsorted"]],
}

function mixedPossession() {
  return { ...possession, proofOfPossession: otherPossession.proofOfPossession }
}

function changedValidator(change: Partial<typeof conversionValidator>): Partial<TxOfKind<"ConvertSubnetToL1Tx">> {
  return { validators: [{ ...conversionValidator, ...change }] }
}

/** The code with which a transaction is refused; none where it is not. */
function codeOf(tx: UnsignedTx): string | undefined {
  return refusalCode(() => checkTx(tx, context))
}

describe.each(txTypes.map(({ kind }) => kind))("a valid %s", (kind) => {
  const valid = validTxs[kind] as UnsignedTx
  const own = variants[kind] as readonly Variant<UnsignedTx>[]
  const common = "inputs" in valid ? (baseVariants as readonly Variant<UnsignedTx>[]) : []

  test("passes", () => {
    expect(codeOf(valid)).toBeUndefined()
  })

  test.each([...common, ...own])("with %s is refused", (_what, change, code) => {
    const changed = { ...valid, ...(typeof change === "function" ? change(valid) : change) } as UnsignedTx
    expect(codeOf(changed)).toBe(code)
  })
})

test("values at the limit of a rule pass", () => {
  const inside: readonly UnsignedTx[] = [
    { ...validTxs.BaseTx, memo: new Uint8Array(256), outputs: [], inputs: [] },
    { ...validTxs.BaseTx, outputs: [outputOf(1n), outputOf(1n)] },
    { ...validTxs.CreateChainTx, chainName: "", fxIDs: [] },
    { ...validTxs.CreateChainTx, chainName: "x".repeat(128), genesisData: new Uint8Array(1 << 20) },
    { ...validTxs.AddValidatorTx, shares: 1_000_000 },
    {
      ...validTxs.AddPermissionlessValidatorTx,
      subnetID: idOfByte(0x41),
      signer: { kind: "EmptySigner" },
      stake: [outputOf(3_000n, otherAsset)],
    },
    { ...validTxs.ConvertSubnetToL1Tx, address: new Uint8Array(4096) },
    {
      ...validTxs.ConvertSubnetToL1Tx,
      validators: [conversionValidator, { ...conversionValidator, nodeID: hexToBytes(nodeIDOfByte(0x32)) }],
    },
    {
      ...validTxs.TransformSubnetTx,
      initialSupply: 2_000n,
      minValidatorStake: 100n,
      minStakeDuration: 3_600,
      uptimeRequirement: 1_000_000,
    },
    { ...validTxs.SetAutoRenewedValidatorConfigTx, period: 0n, autoCompoundRewardShares: 1_000_000 },
    {
      ...validTxs.AddAutoRenewedValidatorTx,
      delegationShares: 1_000_000,
      autoCompoundRewardShares: 1_000_000,
      period: 1n,
      stake: [outputOf(1n), lockedOutputOf(1n, 5n)],
      validatorAuthority: { ...owner, threshold: 0, addresses: [] },
    },
    { ...validTxs.CreateSubnetTx, owner: { ...owner, threshold: 0, addresses: [] } },
  ]
  for (const tx of inside) expect([tx.kind, codeOf(tx)]).toEqual([tx.kind, undefined])
})

test("a proof of possession is not verified if the context says so", () => {
  const tx = { ...validTxs.AddPermissionlessValidatorTx, signer: { kind: "ProofOfPossession", ...mixedPossession() } } as const
  expect(() => checkTx(tx, { ...context, trustSignatures: true })).not.toThrow()
})

test("a refusal writes an ID in cb58", () => {
  const tx = { ...validTxs.BaseTx, blockchainID: idOfByte(1) }
  expect(() => checkTx(tx, context)).toThrow(expect.objectContaining({ data: { got: idText(idOfByte(1)) } }))
})
