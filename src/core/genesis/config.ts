import type { Bls } from "../crypto/bls.js"
import { latin1, toHex, utf8 } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { hrpOf } from "../networks/names.js"
import { ADDRESS_SIZE, type Address, addressText, parseAddress } from "../types/address.js"
import { typeError } from "../types/errors.js"
import { fromHexText, hexDigits } from "../types/hexText.js"
import { EMPTY_NODE_ID, type NodeID, parseNodeID } from "../types/id.js"
import type { ProofOfPossession } from "../types/signer.js"
import { genesisError } from "./errors.js"
import { GoValue } from "./goValue.js"

const MAX32 = 0xffff_ffffn
const PROOF_SIZE = 96

/** An amount in nAVAX, and the time (Unix seconds) until which it can only be staked. */
export interface Unlock {
  readonly amount: bigint
  readonly locktime: bigint
}

/** The funds of one owner at genesis. */
export interface Allocation {
  /** 20 bytes as hex. No funds depend on it, but it is part of the genesis bytes. */
  readonly ethAddr: string
  readonly avaxAddr: Address
  /** The funds on the X-Chain, nAVAX. */
  readonly initialAmount: bigint
  /** The funds on the P-Chain. */
  readonly unlockSchedule: readonly Unlock[]
}

export interface GenesisStaker {
  readonly nodeID: NodeID
  readonly rewardAddress: Address
  /** The delegation fee in millionths. */
  readonly delegationFee: number
  readonly signer?: ProofOfPossession
}

/** A network's genesis in the form of AvalancheGo's genesis file. Times in Unix seconds, durations in seconds. */
export interface GenesisConfig {
  readonly networkID: number
  readonly allocations: readonly Allocation[]
  readonly startTime: bigint
  /** The staking duration of the first staker. */
  readonly initialStakeDuration: bigint
  /** The difference between the ends of two neighbouring stakers: each further staker ends this much earlier. */
  readonly initialStakeDurationOffset: bigint
  /** Owners whose unlock schedules become the stakers' stake. */
  readonly initialStakedFunds: readonly Address[]
  readonly initialStakers: readonly GenesisStaker[]
  /** Kept unchanged, because any change would change the C-Chain's ID. */
  readonly cChainGenesis: string
  readonly message: string
}

/** Reads a genesis file. Throws `genesis.malformed`, or `genesis.bad_field` with the field and the reason. */
export function parseConfig(text: string, bls: Bls): GenesisConfig {
  const file = GoValue.parse(text)
  const stakers = file.member("initialStakers").items()
  return {
    networkID: Number(file.member("networkID").integer(MAX32)),
    allocations: file.member("allocations").items().map(readAllocation),
    startTime: file.member("startTime").integer(MAX64),
    initialStakeDuration: file.member("initialStakeDuration").integer(MAX64),
    initialStakeDurationOffset: file.member("initialStakeDurationOffset").integer(MAX64),
    initialStakedFunds: file.member("initialStakedFunds").items().map(readAddress),
    initialStakers: stakers.map((staker) => readStaker(staker, bls)),
    cChainGenesis: file.member("cChainGenesis").text(),
    message: file.member("message").text(),
  }
}

/** Returns all AVAX at genesis, on both chains, in nAVAX. */
export function initialSupplyOf({ allocations }: Pick<GenesisConfig, "allocations">): bigint {
  const supply = allocations.reduce((sum, { initialAmount }) => sum + initialAmount, lockedIn(allocations))
  if (supply > MAX64) throw genesisError("genesis.supply_overflow", { supply })
  return supply
}

/** Returns the sum of all unlock schedules, nAVAX. */
export function lockedIn(allocations: readonly Pick<Allocation, "unlockSchedule">[]): bigint {
  let locked = 0n
  for (const { unlockSchedule } of allocations) for (const { amount } of unlockSchedule) locked += amount
  return locked
}

function readAllocation(value: GoValue): Allocation {
  return {
    ethAddr: readEthAddr(value.member("ethAddr")),
    avaxAddr: readAddress(value.member("avaxAddr")),
    initialAmount: value.member("initialAmount").integer(MAX64),
    unlockSchedule: value.member("unlockSchedule").items().map(readUnlock),
  }
}

function readUnlock(value: GoValue): Unlock {
  return { amount: value.integerOf("amount", MAX64), locktime: value.integerOf("locktime", MAX64) }
}

function readStaker(value: GoValue, bls: Bls): GenesisStaker {
  const nodeID = value.member("nodeID")
  const signer = value.member("signer")
  return {
    nodeID: nodeID.isAbsent ? EMPTY_NODE_ID : nodeID.parsed(parseNodeID, "could not unmarshal genesis JSON"),
    rewardAddress: readAddress(value.member("rewardAddress")),
    delegationFee: Number(value.member("delegationFee").integer(MAX32)),
    ...(signer.isAbsent ? {} : { signer: readSigner(signer, bls) }),
  }
}

/** Two characters that are not checked (`0x`), and 40 hex digits. */
function readEthAddr(value: GoValue): string {
  const characters = latin1(utf8(value.text()))
  if (characters.length < 2) throw value.fail("shorter than two characters", "unable to parse config: invalid eth address")
  return value.parsed((text) => {
    const bytes = hexDigits(characters.slice(2))
    if (bytes.length !== ADDRESS_SIZE) {
      throw typeError("types.wrong_size", { text, expected: ADDRESS_SIZE, got: bytes.length })
    }
    return toHex(bytes)
  }, "unable to parse config")
}

/** Reads an address of any chain and network, because AvalancheGo compares neither. */
function readAddress(value: GoValue): Address {
  return value.parsed((text) => parseAddress(text).address, "unable to parse config")
}

/** Reads a signer. The key must be valid; the proof is verified when the genesis state is made, so here only its size is adjusted. */
function readSigner(value: GoValue, bls: Bls): ProofOfPossession {
  const stage = "could not unmarshal genesis JSON"
  const publicKey = value.member("publicKey").parsed((text) => {
    const key = fromHexText(text, "hexnc")
    bls.decompressKey(key)
    return key
  }, stage)
  const given = value.member("proofOfPossession").parsed((text) => fromHexText(text, "hexnc"), stage)
  const proofOfPossession = new Uint8Array(PROOF_SIZE)
  proofOfPossession.set(given.subarray(0, PROOF_SIZE))
  return { publicKey, proofOfPossession }
}

/** Settings of the node that the rules for a genesis file depend on. */
export interface ConfigContext {
  readonly networkID: number
  /** The clock, Unix seconds. */
  readonly now: bigint
  /** The longest staking period, in whole seconds. */
  readonly maxStakeDuration: bigint
}

/** Checks a genesis file by AvalancheGo v1.14.2's rules, in its order. Throws `genesis.*`. */
export function checkConfig(config: GenesisConfig, { networkID, now, maxStakeDuration }: ConfigContext): void {
  if (config.networkID !== networkID) throw genesisError("genesis.wrong_network", { expected: networkID, got: config.networkID })
  if (initialSupplyOf(config) === 0n) throw genesisError("genesis.no_supply")
  const { startTime, initialStakeDuration, initialStakers } = config
  if (startTime > now) throw genesisError("genesis.future_start", { startTime, now })
  if (initialStakeDuration === 0n) throw genesisError("genesis.no_stake_duration")
  if (initialStakeDuration > maxStakeDuration) {
    throw genesisError("genesis.stake_duration_too_long", { initialStakeDuration, maxStakeDuration })
  }
  if (initialStakers.length === 0) throw genesisError("genesis.no_stakers")
  // AvalancheGo lets this product overflow at 64 bits. This makes no sense and is not repeated here.
  const required = config.initialStakeDurationOffset * BigInt(initialStakers.length - 1)
  if (required > initialStakeDuration) {
    throw genesisError("genesis.stake_duration_too_short", { required, initialStakeDuration })
  }
  checkStakedFunds(config)
  checkLockedAmount(config)
  if (config.cChainGenesis === "") throw genesisError("genesis.no_c_chain_genesis")
}

/** Checks that no address occurs twice, and that each has an allocation. Several allocations may share one. */
function checkStakedFunds({ networkID, allocations, initialStakedFunds }: GenesisConfig): void {
  if (initialStakedFunds.length === 0) throw genesisError("genesis.no_staked_funds")
  const owners = new Set(allocations.map(({ avaxAddr }) => avaxAddr))
  const seen = new Set<string>()
  for (const each of initialStakedFunds) {
    const address = () => addressText(each, hrpOf(networkID), "X")
    if (seen.has(each)) throw genesisError("genesis.doubled_staked_funds", { address: address() })
    seen.add(each)
    if (!owners.has(each)) throw genesisError("genesis.nothing_to_stake", { address: address() })
  }
}

/** A check since v1.14.2. It counts all schedules, not only the staked ones, so a validator may still have no weight. */
function checkLockedAmount({ allocations, initialStakers }: GenesisConfig): void {
  const locked = lockedIn(allocations)
  const stakers = initialStakers.length
  if (locked < BigInt(stakers)) throw genesisError("genesis.locked_amount_too_low", { locked, stakers })
}
