import { decode, encode } from "../../../src/core/codec/decode.js"
import { checkMemo, MAX_MEMO_SIZE } from "../../../src/core/txs/base.js"
import { checkTx, type UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { EMPTY_ID, type ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { checkInput, checkSigners, input as inputCodec } from "../../../src/core/types/input.js"
import { checkOutput, output as outputCodec } from "../../../src/core/types/output.js"
import { checkOwner, type PChainOwner } from "../../../src/core/types/owners.js"
import type { ProofOfPossession } from "../../../src/core/types/signer.js"
import type { ConversionValidator } from "../../../src/core/types/validator.js"
import {
  AVAX,
  context,
  conversionValidator,
  idOfByte,
  inputOf,
  lockedOutputOf,
  otherPossession,
  possession,
  validTxs,
} from "../../fixtures/txs.js"
import type { Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"

/** Holds an `expected` of these cases against the code: `valid`, or an error whose text is not compared. */
function compare({ expected }: Entry, verdict: Verdict, action: () => unknown): void {
  if (expected.error !== undefined) verdict.refuses(expected.error, action)
  else {
    verdict.equal("valid", true, expected.valid)
    action()
  }
}

/** tx-syntax.json: the stateless checks, one rule at a time. */
export const txSyntax: Group = {
  transformSubnet(entry, verdict) {
    const { subnet, assetID, ...numbers } = entry.input
    const tx: Record<string, unknown> = { ...validTxs.TransformSubnetTx, subnetID: subnetOf(subnet), assetID: assetOf(assetID) }
    for (const [name, value] of Object.entries<string>(numbers)) {
      if (!(name in tx)) throw new Error(`no such field: ${name}`)
      tx[name] = typeof tx[name] === "bigint" ? BigInt(value) : Number(value)
    }
    compare(entry, verdict, () => checkTx(tx as UnsignedTx, context))
  },
  convertSubnetToL1(entry, verdict) {
    const { subnet, addressLength, validators, subnetAuth } = entry.input
    const valid = validTxs.ConvertSubnetToL1Tx
    const tx: UnsignedTx = {
      ...valid,
      subnetID: subnetOf(subnet),
      address: addressLength === undefined ? valid.address : new Uint8Array(Number(addressLength)),
      validators: Array.isArray(validators) ? validators.map(conversionValidatorOf) : valid.validators,
      subnetAuthorization: subnetAuth === undefined ? valid.subnetAuthorization : signersOf(subnetAuth),
    }
    compare(entry, verdict, () => checkTx(tx, context))
  },
  createChain(entry, verdict) {
    const { vmID, subnet, name, nameLength, genesisLength } = entry.input
    const valid = validTxs.CreateChainTx
    const tx: UnsignedTx = {
      ...valid,
      vmID: vmID === "empty" ? EMPTY_ID : valid.vmID,
      subnetID: subnetOf(subnet),
      chainName: nameOf(name, nameLength) ?? valid.chainName,
      genesisData: genesisLength === undefined ? valid.genesisData : new Uint8Array(Number(genesisLength)),
    }
    compare(entry, verdict, () => checkTx(tx, context))
  },
  outputOwners(entry, verdict) {
    compare(entry, verdict, () => checkOwner(ownerOf(entry.input)))
  },
  sigIndices(entry, verdict) {
    compare(entry, verdict, () => checkSigners(signersOf(entry.input.indices)))
  },
  stakeableLock(entry, verdict) {
    const locktime = BigInt(entry.input.locktime)
    const lock = entry.input.innerIsStakeableLock ? nestedLock : plainLock
    compare(entry, verdict, () => lock.output(locktime))
    compare(entry, verdict, () => lock.input(locktime))
  },
  memo(entry, verdict) {
    const { memoLength, durangoActive } = entry.input
    compare(entry, verdict, () => checkMemo(new Uint8Array(Number(memoLength)), durangoActive ? 0 : MAX_MEMO_SIZE))
  },
}

function subnetOf(subnet: string | undefined): ID {
  if (subnet === "primary") return PRIMARY_NETWORK_ID
  if (subnet === undefined || subnet === "other") return idOfByte(0x41)
  throw new Error(`subnet is neither primary nor other: ${subnet}`)
}

function assetOf(asset: string): ID {
  return asset === "empty" ? EMPTY_ID : asset === "AVAX" ? AVAX : idOfByte(0x81)
}

/** A chain's name as the bytes it has in UTF-8, one character each. */
function nameOf(name: string | undefined, length: string | undefined): string | undefined {
  if (name !== undefined) return Buffer.from(name, "utf8").toString("latin1")
  return length === undefined ? undefined : "x".repeat(Number(length))
}

function signersOf(indices: readonly string[]): { kind: "Input"; signatureIndices: number[] } {
  return { kind: "Input", signatureIndices: indices.map(Number) }
}

function ownerOf({ threshold, addresses }: Entry): PChainOwner {
  return { threshold: Number(threshold), addresses }
}

function conversionValidatorOf(given: Entry): ConversionValidator {
  const valid = conversionValidator
  return {
    nodeID: given.nodeID === undefined ? valid.nodeID : bytesOf(given.nodeID),
    weight: given.weight === undefined ? valid.weight : BigInt(given.weight),
    balance: given.balance === undefined ? valid.balance : BigInt(given.balance),
    signer: possessionOf(given.proofOfPossession),
    remainingBalanceOwner: given.remainingBalanceOwner ? ownerOf(given.remainingBalanceOwner) : valid.remainingBalanceOwner,
    deactivationOwner: given.deactivationOwner ? ownerOf(given.deactivationOwner) : valid.deactivationOwner,
  }
}

/** "valid" is a proof that the test makes; any other word is a proof of another key. */
function possessionOf(word: string | undefined): ProofOfPossession {
  if (word === undefined || word === "valid") return possession
  return { ...possession, proofOfPossession: otherPossession.proofOfPossession }
}

/** A stakeable lock around an output and an input, as the checks see it. */
const plainLock = {
  output: (locktime: bigint) => checkOutput(lockedOutputOf(1n, locktime)),
  input: (locktime: bigint) => {
    const input = inputOf(idOfByte(1), 0, 1n).input
    if (input.kind !== "TransferInput") throw new Error("the fixture is locked")
    checkInput({ ...inputOf(idOfByte(1), 0, 1n), input: { kind: "LockIn", locktime, input } })
  },
}

/** The same around another lock: no such value can be made, so these are bytes. */
const nestedLock = {
  output: (locktime: bigint) => decode(outputCodec, nested(22, locktime, encode(outputCodec, lockedOutputOf(1n, 1n).output))),
  input: (locktime: bigint) => {
    const inner = encode(inputCodec, inputOf(idOfByte(1), 0, 1n).input)
    return decode(inputCodec, nested(21, locktime, nested(21, 1n, inner)))
  },
}

function nested(typeID: number, locktime: bigint, inner: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12)
  head.writeUInt32BE(typeID, 0)
  head.writeBigUInt64BE(locktime, 4)
  return Uint8Array.from([...head, ...inner])
}
