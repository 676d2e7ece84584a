import { sha256Hex } from "../crypto/hash.js"
import { hexToBytes, utf8 } from "../lib/bytes.js"
import { add64 } from "../lib/math64.js"
import { compare, Heap } from "../lib/mergeSorted.js"
import type { Base } from "../txs/base.js"
import { signedTxOf } from "../txs/tx.js"
import type { Address } from "../types/address.js"
import { SECP256K1_FX_ID } from "../types/fx.js"
import { EMPTY_ID, type ID, idOfName, nodeIDText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Output, TransferOutput } from "../types/output.js"
import type { Owner } from "../types/owners.js"
import { type Allocation, type GenesisConfig, type GenesisStaker, initialSupplyOf, lockedIn } from "./config.js"
import { genesisError } from "./errors.js"
import { AVM_ID, EVM_ID, type Genesis, type GenesisChain, type GenesisUtxo, type GenesisValidator, genesisOf } from "./genesis.js"
import { avaxAssetIDOf, xGenesisBytes } from "./xChain.js"

/** The order, which the rules of other transactions would not allow, is part of the bytes. */
const X_CHAIN_FXS = [SECP256K1_FX_ID, idOfName("nftfx"), idOfName("propertyfx")]

/** Builds a network's genesis. Throws `genesis.*` if its validators cannot be made; `checkConfig` finds more. */
export function buildGenesis(config: GenesisConfig, hash = sha256Hex): Genesis {
  const { networkID } = config
  const initialSupply = initialSupplyOf(config)
  const xGenesis = xGenesisBytes(networkID, config.allocations)
  const avaxAssetID = avaxAssetIDOf(xGenesis)
  const body = {
    utxos: utxosOf(config, avaxAssetID),
    validators: validatorTxsOf(config, avaxAssetID),
    chains: [
      chainTx(networkID, "X-Chain", AVM_ID, X_CHAIN_FXS, xGenesis),
      chainTx(networkID, "C-Chain", EVM_ID, [], utf8(config.cChainGenesis)),
    ],
    timestamp: config.startTime,
    initialSupply,
    message: config.message,
  }
  return genesisOf(body, hash)
}

/** Returns the unlock schedules of all funds that are not staked, in the order of the file, numbered throughout. */
function utxosOf({ allocations, initialStakedFunds, startTime }: GenesisConfig, assetID: ID): readonly GenesisUtxo[] {
  const staked = new Set(initialStakedFunds)
  const utxos: GenesisUtxo[] = []
  for (const { avaxAddr: address, ethAddr, unlockSchedule } of allocations) {
    if (staked.has(address)) continue
    const message = hexToBytes(ethAddr)
    for (const { amount, locktime } of unlockSchedule) {
      if (amount === 0n) continue
      const output = genesisOutput({ address, amount, locktime }, startTime)
      utxos.push({ txID: EMPTY_ID, outputIndex: utxos.length, assetID, output, message })
    }
  }
  return utxos
}

function chainTx(networkID: number, chainName: string, vmID: ID, fxIDs: readonly ID[], genesisData: Uint8Array): GenesisChain {
  const tx = signedTxOf(
    {
      kind: "CreateChainTx",
      ...emptyBase(networkID),
      subnetID: PRIMARY_NETWORK_ID,
      chainName,
      vmID,
      fxIDs,
      genesisData,
      subnetAuthorization: { kind: "Input", signatureIndices: [] },
    },
    [],
  )
  return tx as GenesisChain
}

/** The fields that all transactions have, without funds. */
const emptyBase = (networkID: number): Base => ({
  networkID,
  blockchainID: P_CHAIN_ID,
  outputs: [],
  inputs: [],
  memo: new Uint8Array(0),
})

/** Makes an output of the genesis to one owner, under a stakeable lock if its time is after the start (Unix seconds). */
function genesisOutput({ address, amount, locktime }: StakePart, startTime: bigint): Output {
  const plain: TransferOutput = { kind: "TransferOutput", amount, locktime: 0n, threshold: 1, addresses: [address] }
  return locktime > startTime ? { kind: "LockOut", locktime, output: plain } : plain
}

/** Returns the validators' transactions in the order of the genesis bytes. */
function validatorTxsOf(config: GenesisConfig, avaxAssetID: ID): readonly GenesisValidator[] {
  const { allocations, initialStakedFunds, initialStakers } = config
  if (initialStakers.length === 0) throw genesisError("genesis.no_stakers")
  const staked = new Set(initialStakedFunds)
  const buckets = splitStake(
    allocations.filter(({ avaxAddr }) => staked.has(avaxAddr)),
    initialStakers.length,
  )
  return heapOrder(initialStakers.map((staker, i) => validatorTxOf(config, avaxAssetID, staker, i, buckets[i] ?? [])))
}

function validatorTxOf(
  config: GenesisConfig,
  avaxAssetID: ID,
  staker: GenesisStaker,
  position: number,
  bucket: readonly StakePart[],
): GenesisValidator {
  const { nodeID, delegationFee: shares, signer } = staker
  const start = config.startTime
  const end = add64(start, config.initialStakeDuration) - config.initialStakeDurationOffset * BigInt(position)
  const weight = bucket.reduce((sum, { amount }) => sum + amount, 0n)
  if (weight === 0n) throw genesisError("genesis.zero_weight", { nodeID: nodeIDText(nodeID) })
  if (end <= start) throw genesisError("genesis.validator_over", { nodeID: nodeIDText(nodeID), start, end })
  const common = {
    ...emptyBase(config.networkID),
    validator: { nodeID, start, end, weight },
    // This is not the order of outputs in other transactions, and no rule requires it here.
    stake: [...bucket].sort(compareParts).map((part) => ({ assetID: avaxAssetID, output: genesisOutput(part, start) })),
    shares,
  }
  const owner: Owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [staker.rewardAddress] }
  // Only the signer determines the kind, whatever the upgrade schedule.
  const tx = signer
    ? signedTxOf(
        {
          ...common,
          kind: "AddPermissionlessValidatorTx",
          subnetID: PRIMARY_NETWORK_ID,
          signer: { kind: "ProofOfPossession", ...signer },
          validationRewardsOwner: owner,
          delegationRewardsOwner: owner,
        },
        [],
      )
    : signedTxOf({ ...common, kind: "AddValidatorTx", rewardsOwner: owner }, [])
  return tx as GenesisValidator
}

function compareParts(a: StakePart, b: StakePart): number {
  return compare(a.locktime, b.locktime) || compare(a.amount, b.amount) || compare(a.address, b.address)
}

/**
 * Returns the order in which a binary heap by end time has the transactions after they were added one after the other. Duplicates are
 * dropped.
 */
function heapOrder(txs: readonly GenesisValidator[]): readonly GenesisValidator[] {
  const heap = new Heap<GenesisValidator>((a, b) => Number(a.unsignedTx.validator.end - b.unsignedTx.validator.end))
  for (const tx of new Map(txs.map((each) => [each.id, each])).values()) heap.add(tx)
  return heap.items
}

/** A part of an owner's unlock schedule that is a validator's stake. */
interface StakePart {
  readonly address: Address
  /** The amount in nAVAX; zero if a bucket was exactly full before the next amount. */
  readonly amount: bigint
  /** The lock time in Unix seconds. */
  readonly locktime: bigint
}

/**
 * Distributes the staked funds in their order to one bucket per staker: all but the last get the whole share, the last gets the rest. An
 * amount across a boundary is split. There are fewer buckets only if there are no funds.
 */
export function splitStake(
  allocations: readonly Pick<Allocation, "avaxAddr" | "unlockSchedule">[],
  stakers: number,
): readonly (readonly StakePart[])[] {
  const share = lockedIn(allocations) / BigInt(stakers)
  const full: StakePart[][] = []
  let bucket: StakePart[] = []
  let poured = 0n
  for (const { avaxAddr: address, unlockSchedule } of allocations) {
    for (const { amount, locktime } of unlockSchedule) {
      let left = amount
      // The comparison is strict: a bucket that is exactly full stays open, and the next amount closes it with a part of zero.
      while (poured + left > share && full.length < stakers - 1) {
        const taken = share - poured
        bucket.push({ address, amount: taken, locktime })
        left -= taken
        full.push(bucket)
        bucket = []
        poured = 0n
      }
      if (left === 0n) continue
      bucket.push({ address, amount: left, locktime })
      poured += left
    }
  }
  return [...full, bucket]
}
