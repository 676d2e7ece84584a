import { hexToBytes } from "../../../src/core/lib/bytes.js"
import { MAX64 } from "../../../src/core/lib/math64.js"
import { Priority } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import { EMPTY_ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { blsKeyOf, ownerOf } from "../../fixtures/keys.js"
import {
  bob,
  L1,
  L1_NODE,
  NEW_NODE,
  NODE,
  NOW,
  OPEN_SUBNET,
  OTHER_NODE,
  REST,
  SUBNET,
  VALIDATOR_TX,
} from "../../fixtures/smallChain.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { stakerWith } from "../../fixtures/state.js"
import { AVAX, idOfByte, nodeIDOfByte } from "../../fixtures/txs.js"
import { staked, type Variant, type Variants } from "./variant.js"

const day = 86_400n

type SubnetKind = "CreateChainTx" | "TransformSubnetTx" | "TransferSubnetOwnershipTx" | "ConvertSubnetToL1Tx"

/** Refusals that all transactions for a subnet share. */
const aboutSubnet: Variants<SubnetKind> = [
  {
    name: "the primary network for a subnet",
    code: "tx.subnet_is_primary_network",
    tx: () => ({ subnetID: PRIMARY_NETWORK_ID }),
  },
  { name: "an unknown subnet", code: "rules.unknown_subnet", tx: () => ({ subnetID: idOfByte(0xdd) }) },
  { name: "another transaction for a subnet", code: "rules.not_a_subnet", tx: () => ({ subnetID: VALIDATOR_TX.id }) },
]

/** Refusals of transactions that only the owner of a permissioned subnet may issue. */
const ofPermissioned: Variants<SubnetKind> = [
  { name: "a subnet that is open", code: "rules.subnet_immutable", tx: () => ({ subnetID: OPEN_SUBNET }) },
  { name: "a subnet that is an L1", code: "rules.subnet_immutable", tx: () => ({ subnetID: L1 }) },
]

const unsortedAuth = { kind: "Input" as const, signatureIndices: [1, 0] }
const badAuth: Variant<"CreateChainTx" | "TransformSubnetTx" | "TransferSubnetOwnershipTx" | "ConvertSubnetToL1Tx"> = {
  name: "signers of the authorisation in the wrong order",
  code: "types.indices_unsorted",
  tx: () => ({ subnetAuthorization: unsortedAuth }),
}

export const createChainTx: Variants<"CreateChainTx"> = [
  ...(aboutSubnet as Variants<"CreateChainTx">),
  ...(ofPermissioned as Variants<"CreateChainTx">),
  badAuth as Variant<"CreateChainTx">,
  { name: "a name of 129 bytes", code: "tx.chain_name_too_long", tx: () => ({ chainName: "a".repeat(129) }) },
  { name: "a name with a dash", code: "tx.chain_name_character", tx: () => ({ chainName: "a-b" }) },
  { name: "no VM", code: "tx.empty_vm", tx: () => ({ vmID: EMPTY_ID }) },
  { name: "feature extensions in the wrong order", code: "tx.fx_unsorted", tx: ({ fxIDs }) => ({ fxIDs: fxIDs.toReversed() }) },
]

export const transferSubnetOwnershipTx: Variants<"TransferSubnetOwnershipTx"> = [
  ...(aboutSubnet as Variants<"TransferSubnetOwnershipTx">),
  badAuth as Variant<"TransferSubnetOwnershipTx">,
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "cortina" },
  {
    name: "a new owner nobody can be",
    code: "types.owner_unspendable",
    tx: () => ({ newOwner: { ...ownerOf(bob), threshold: 2 } }),
  },
]

const transformed = (name: string, tx: Variant<"TransformSubnetTx">["exactly"]): Variant<"TransformSubnetTx"> => ({
  name,
  code: "tx.transformation",
  ...(tx ? { tx } : {}),
})

export const transformSubnetTx: Variants<"TransformSubnetTx"> = [
  ...(aboutSubnet as Variants<"TransformSubnetTx">),
  ...(ofPermissioned as Variants<"TransformSubnetTx">),
  badAuth as Variant<"TransformSubnetTx">,
  { name: "its end with Etna", code: "tx.unmetered", last: "etna" },
  { name: "no asset", code: "types.empty_asset", tx: () => ({ assetID: EMPTY_ID }) },
  { name: "AVAX for its asset", code: "tx.asset_is_avax", tx: () => ({ assetID: AVAX }) },
  transformed("no supply", () => ({ initialSupply: 0n })),
  transformed("more supply than the most", () => ({ initialSupply: 2_001n })),
  transformed("rates the wrong way round", () => ({ minConsumptionRate: 120_001n })),
  transformed("a rate above everything", () => ({ maxConsumptionRate: 1_000_001n })),
  transformed("no least stake", () => ({ minValidatorStake: 0n })),
  transformed("a least stake above the supply", () => ({ minValidatorStake: 1_001n, maxValidatorStake: 2_000n })),
  transformed("stakes the wrong way round", () => ({ maxValidatorStake: 9n })),
  transformed("a greatest stake above the supply", () => ({ maxValidatorStake: 2_001n })),
  transformed("no least time", () => ({ minStakeDuration: 0 })),
  transformed("times the wrong way round", () => ({ maxStakeDuration: 59 })),
  transformed("a fee above everything", () => ({ minDelegationFee: 1_000_001 })),
  transformed("no least delegation", () => ({ minDelegatorStake: 0n })),
  transformed("no weight factor", () => ({ maxValidatorWeightFactor: 0 })),
  transformed("an uptime above everything", () => ({ uptimeRequirement: 1_000_001 })),
  { name: "a longer time than the network's", code: "tx.max_stake_duration", tx: () => ({ maxStakeDuration: 365 * 86_400 + 1 }) },
  { name: "a reward pool that is not burned", code: "rules.insufficient_unlocked", tx: () => ({ maximumSupply: 2_001n }) },
]

export const addSubnetValidatorTx: Variants<"AddSubnetValidatorTx"> = [
  staked("the primary network for a subnet", "tx.subnet_is_primary_network", () => ({ subnetID: PRIMARY_NETWORK_ID })),
  staked("no weight", "tx.zero_weight", () => ({ weight: 0n })),
  { name: "signers in the wrong order", code: "types.indices_unsorted", tx: () => ({ subnetAuthorization: unsortedAuth }) },
  staked("too short a time", "rules.stake_too_short", () => ({ end: NOW + day - 1n })),
  staked("too long a time", "rules.stake_too_long", () => ({ end: NOW + 366n * day })),
  staked("a node that validates the subnet", "rules.already_validator", () => ({ nodeID: OTHER_NODE })),
  staked("a node outside the primary network", "rules.not_validator", () => ({ nodeID: NEW_NODE })),
  staked("an end after the node's own", "rules.period_mismatch", () => ({ end: NOW + REST + 1n })),
  staked("an unknown subnet", "rules.unknown_subnet", () => ({ subnetID: idOfByte(0xdd) })),
  staked("a subnet that is an L1", "rules.subnet_immutable", () => ({ subnetID: L1 })),
  staked("a start in the past, before Durango", "rules.starts_too_early", () => ({ start: NOW }), { last: "cortina" }),
]

export const removeSubnetValidatorTx: Variants<"RemoveSubnetValidatorTx"> = [
  {
    name: "the primary network for a subnet",
    code: "tx.subnet_is_primary_network",
    tx: () => ({ subnetID: PRIMARY_NETWORK_ID }),
  },
  { name: "signers in the wrong order", code: "types.indices_unsorted", tx: () => ({ subnetAuthorization: unsortedAuth }) },
  { name: "a node that does not validate the subnet", code: "rules.not_validator", tx: () => ({ nodeID: NODE }) },
  { name: "a validator of an L1", code: "rules.not_validator", tx: () => ({ subnetID: L1, nodeID: L1_NODE }) },
  {
    name: "a validator of an open subnet",
    code: "tx.removes_permissionless",
    tx: () => ({ subnetID: OPEN_SUBNET, nodeID: NODE }),
  },
]

type ConversionChange = NonNullable<Variant<"ConvertSubnetToL1Tx">["tx"]>
/** Changes the only validator of a conversion. */
const validated =
  (change: Partial<Parameters<ConversionChange>[0]["validators"][number]>): ConversionChange =>
  ({ validators }) => ({ validators: [{ ...validators[0]!, ...change }] })

export const convertSubnetToL1Tx: Variants<"ConvertSubnetToL1Tx"> = [
  ...(aboutSubnet as Variants<"ConvertSubnetToL1Tx">),
  ...(ofPermissioned as Variants<"ConvertSubnetToL1Tx">),
  badAuth as Variant<"ConvertSubnetToL1Tx">,
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "durango" },
  { name: "an address of 4097 bytes", code: "tx.manager_address_too_long", tx: () => ({ address: new Uint8Array(4_097) }) },
  { name: "no validators", code: "tx.no_validators", tx: () => ({ validators: [] }) },
  {
    name: "a validator twice",
    code: "tx.validators_unsorted",
    tx: ({ validators }) => ({ validators: [validators[0]!, validators[0]!] }),
  },
  { name: "a validator without weight", code: "tx.zero_l1_weight", tx: validated({ weight: 0n }) },
  { name: "a node ID of 19 bytes", code: "tx.bad_node_id", tx: validated({ nodeID: new Uint8Array(19).fill(1) }) },
  { name: "an empty node ID", code: "tx.empty_node_id", tx: validated({ nodeID: new Uint8Array(20) }) },
  {
    name: "the proof of another key",
    code: "crypto.bls_bad_possession",
    tx: validated({ signer: { publicKey: blsKeyOf(13).publicKey, proofOfPossession: blsKeyOf(14).proofOfPossession } }),
  },
  {
    name: "a balance owner nobody can be",
    code: "types.owner_unspendable",
    tx: validated({ remainingBalanceOwner: { threshold: 1, addresses: [] } }),
  },
  {
    name: "a deactivation owner who need not sign",
    code: "types.owner_unoptimized",
    tx: validated({ deactivationOwner: { threshold: 0, addresses: [bob.address] } }),
  },
  {
    name: "a node that is still a permissioned validator",
    code: "state.l1_validator_conflict",
    tx: validated({ nodeID: hexToBytes(OTHER_NODE) }),
  },
  {
    name: "weights beyond any number",
    code: "math.overflow",
    tx: ({ validators }) => ({
      validators: [
        { ...validators[0]!, nodeID: hexToBytes(nodeIDOfByte(1)), weight: MAX64 },
        { ...validators[0]!, weight: 1n },
      ],
    }),
  },
  { name: "a balance that is not paid", code: "rules.insufficient_unlocked", exactly: validated({ balance: 1_000_000_001n }) },
  {
    name: "balances beyond any number",
    code: "rules.burn_overflow",
    exactly: ({ validators }) => ({
      validators: [
        { ...validators[0]!, nodeID: hexToBytes(nodeIDOfByte(1)), balance: MAX64 - 1_000_000n },
        { ...validators[0]!, balance: MAX64 - 1_000_000n },
      ],
    }),
  },
  {
    name: "no room for another active validator",
    code: "rules.too_many_active",
    given: (state) => state.put(tables.activeL1Count, null, 20_000n),
  },
  {
    name: "a permissioned validator of the same node added in its stead",
    code: "state.l1_validator_conflict",
    given: (state) =>
      addCurrentStaker(
        state,
        stakerWith({
          nodeID: NEW_NODE,
          subnetID: SUBNET,
          txID: idOfByte(0x79),
          priority: Priority.subnetPermissionedValidatorCurrent,
          endTime: NOW + REST,
        }),
      ),
  },
]
