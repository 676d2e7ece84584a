import { avaxText } from "../../core/lib/avaxText.js"
import { toHex } from "../../core/lib/bytes.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { paramsFor } from "../../core/networks/index.js"
import { hrpOf, networkNameOf } from "../../core/networks/names.js"
import { amountsOf } from "../../core/txs/amounts.js"
import { describeTx } from "../../core/txs/describeTx.js"
import { txError } from "../../core/txs/errors.js"
import { feeOf } from "../../core/txs/execute.js"
import { type Address, addressText } from "../../core/types/address.js"
import { type ID, idText } from "../../core/types/id.js"
import { unlockedInput } from "../../core/types/input.js"
import { innerOutput, type TransferableOutput } from "../../core/types/output.js"
import { utxoReference } from "../../core/types/utxo.js"
import { checksummedAddress } from "../../evm/address.js"
import type { TxFile } from "./format.js"
import { rightsIn } from "./rightsIn.js"
import { missingSigners, openTxFile, signedTxOfFile } from "./txFile.js"
import { inputsOf, type Unsigned } from "./unsigned.js"

/** Owners as text. */
export interface ReviewedOwners {
  readonly addresses: readonly string[]
  readonly threshold: number
}

/** An amount that a transaction takes. */
export interface ReviewedInput {
  /** The UTXO as `txID:index`, or the account of the C-Chain. */
  readonly from: string
  readonly amount: bigint
  /** The asset, if it is not AVAX. */
  readonly assetID?: string
  /** Who signs for it, as the file says; an account signs for itself. */
  readonly signers: readonly string[]
}

/** An amount that a transaction gives. */
export interface ReviewedOutput extends ReviewedOwners {
  readonly part: "output" | "stake" | "exported" | "account" | "L1 balance"
  readonly amount: bigint
  readonly assetID?: string
  /** Unix seconds until which the owners cannot spend it, or only stake it. */
  readonly lockedUntil?: bigint
  /** True if all of its owners are signers of the transaction. */
  readonly isChange: boolean
}

/** Something that a signer should look at twice. */
export interface Unusual {
  readonly code: "large_fee" | "other_assets" | "long_lock" | "anyone" | "unknown_owner"
  readonly sentence: string
}

/** What a transaction asks of those who sign it. Amounts are nAVAX. */
export interface TxReview {
  readonly network: string
  readonly networkID: number
  readonly chain: "P" | "C"
  readonly kind: string
  /** The transaction in a few words; empty for a kind whose name says everything. */
  readonly what: string
  /** The hash that is signed, `0x` and hex. */
  readonly hash: string
  /** The ID, once all signatures are there. */
  readonly txID?: string
  readonly inputs: readonly ReviewedInput[]
  readonly outputs: readonly ReviewedOutput[]
  /** The AVAX that is burned. */
  readonly fee: bigint
  readonly signers: readonly ReviewedSigner[]
  /** What other owners may do: get rewards, change a validator, own a subnet. */
  readonly rights: readonly (ReviewedOwners & { readonly right: string })[]
  readonly unusual: readonly Unusual[]
}

/** One key that signs. */
export interface ReviewedSigner {
  readonly signer: string
  readonly isSigned: boolean
  /** The AVAX of the inputs for which it signs, alone or with others. */
  readonly takes: bigint
  /** The AVAX of the outputs that it owns, alone or with others. */
  readonly gets: bigint
}

/** Facts that the signer knows and the file does not prove. */
export interface ReviewOptions {
  /** The clock, Unix seconds. */
  readonly now: bigint
  /** Addresses that may get something besides those of the signers. If they are given, any other is unusual. */
  readonly known?: readonly string[] | undefined
}

/**
 * Says what a transaction file asks of its signers. Amounts, outputs, their owners, the fee and the network are those of the bytes that are signed,
 * and the chain refuses the transaction if an amount is not that of its UTXO. Who owns the inputs is what the file says. Throws as `openTxFile`
 * does, and `tx.mints` if it gives more than it takes.
 */
export function reviewTxFile(file: TxFile, { now, known }: ReviewOptions): TxReview {
  const { unsigned, hash, signatures } = openTxFile(file)
  const { chain, tx } = unsigned
  const hrp = hrpOf(tx.networkID)
  const assets = burnedAssets(unsigned)
  const avaxAssetID = assets.length === 1 ? (assets[0] as readonly [ID, bigint])[0] : undefined
  const signers = [...new Set(signatures.flat().map(({ signer }) => signer))]
  const inputs = takenBy(unsigned, signatures, avaxAssetID)
  const outputs = givenBy(unsigned, avaxAssetID, signers)
  const burned = avaxAssetID === undefined ? 0n : (assets[0] as readonly [ID, bigint])[1]
  const fee = burned - (chain === "P" ? amountsOf(tx).balances : 0n)
  if (fee < 0n) throw txError("tx.mints", { burned: fee })
  const rights = chain === "P" ? rightsIn(tx, hrp) : []
  const missing = missingSigners(signatures)
  return {
    ...{ network: networkNameOf(tx.networkID), networkID: tx.networkID, chain, kind: tx.kind },
    what: chain === "P" && avaxAssetID !== undefined ? describeTx(tx, { hrp, avaxAssetID }) : "",
    hash: `0x${toHex(hash)}`,
    ...(missing.length === 0 ? { txID: signedTxOfFile(file).txID } : {}),
    ...{ inputs, outputs, fee, rights },
    signers: signers.map((signer) => ({
      signer,
      isSigned: !missing.includes(signer),
      takes: sumOf(inputs.filter((input) => input.signers.includes(signer))),
      gets: sumOf(outputs.filter(({ addresses }) => addresses.includes(signer))),
    })),
    unusual: [
      ...unusualFee(unsigned, fee),
      ...unusualAssets(assets),
      ...outputs.flatMap((output) => unusualOutput(output, now)),
      ...unknownOwners(outputs, rights, signers, known),
    ],
  }
}

const sumOf = (parts: readonly { readonly amount: bigint; readonly assetID?: string }[]): bigint =>
  parts.reduce((sum, { amount, assetID }) => (assetID === undefined ? sum + amount : sum), 0n)

/** Returns the assets of which a transaction gives less than it takes. The chain accepts only those that burn AVAX. Throws `tx.mints`. */
function burnedAssets(unsigned: Unsigned): readonly (readonly [ID, bigint])[] {
  const burned = new Map<ID, bigint>()
  const add = (assetID: ID, amount: bigint) => burned.set(assetID, (burned.get(assetID) ?? 0n) + amount)
  const { chain, tx } = unsigned
  for (const { assetID, input } of inputsOf(unsigned)) add(assetID, unlockedInput(input).amount)
  if (chain === "P") {
    for (const { assetID, output } of amountsOf(tx).outputs) add(assetID, -innerOutput(output).amount)
  } else if (tx.kind === "export") {
    for (const { assetID, amount } of tx.inputs) add(assetID, amount)
    for (const { assetID, output } of tx.outputs) add(assetID, -innerOutput(output).amount)
  } else {
    for (const { assetID, amount } of tx.outputs) add(assetID, -amount)
  }
  for (const [assetID, amount] of burned) if (amount < 0n) throw txError("tx.mints", { asset: idText(assetID), burned: amount })
  return [...burned].filter(([, amount]) => amount > 0n)
}

function takenBy(unsigned: Unsigned, signatures: TxFile["signatures"], avaxAssetID: ID | undefined): readonly ReviewedInput[] {
  const { chain, tx } = unsigned
  const signersOf = (i: number) => (signatures[i] ?? []).map(({ signer }) => signer)
  if (chain === "C" && tx.kind === "export") {
    return tx.inputs.map(({ address, amount, assetID }, i) => {
      return { from: checksummedAddress(toHex(address)), amount, ...assetOf(assetID, avaxAssetID), signers: signersOf(i) }
    })
  }
  return inputsOf(unsigned).map(({ txID, outputIndex, assetID, input }, i) => ({
    from: utxoReference(txID, outputIndex),
    amount: unlockedInput(input).amount,
    ...assetOf(assetID, avaxAssetID),
    signers: signersOf(i),
  }))
}

const assetOf = (assetID: ID, avaxAssetID: ID | undefined) => (assetID === avaxAssetID ? {} : { assetID: idText(assetID) })

function givenBy({ chain, tx }: Unsigned, avaxAssetID: ID | undefined, signers: readonly string[]): readonly ReviewedOutput[] {
  const hrp = hrpOf(tx.networkID)
  const shown = (part: ReviewedOutput["part"], outputs: readonly TransferableOutput[], on: string) =>
    outputs.map(({ assetID, output }): ReviewedOutput => {
      const { amount, locktime, threshold, addresses } = innerOutput(output)
      const lockedUntil = output.kind === "LockOut" && output.locktime > locktime ? output.locktime : locktime
      const texts = addresses.map((address) => addressText(address, hrp, on))
      const isOwn = (address: Address) => ["P", "C"].some((alias) => signers.includes(addressText(address, hrp, alias)))
      return {
        ...{ part, amount, ...assetOf(assetID, avaxAssetID), addresses: texts, threshold },
        ...(lockedUntil === 0n ? {} : { lockedUntil }),
        isChange: addresses.length > 0 && addresses.every(isOwn),
      }
    })
  if (chain === "C") {
    if (tx.kind === "export") return shown("exported", tx.outputs, "P")
    return tx.outputs.map(({ address, amount, assetID }) => {
      const account = checksummedAddress(toHex(address))
      const owned = { addresses: [account], threshold: 1, isChange: signers.includes(account) }
      return { part: "account" as const, amount, ...assetOf(assetID, avaxAssetID), ...owned }
    })
  }
  const { balances } = amountsOf(tx)
  const nobody = { addresses: [], threshold: 0, isChange: false }
  return [
    ...shown("output", tx.outputs, "P"),
    ...shown("stake", "stake" in tx ? tx.stake : [], "P"),
    ...shown("exported", "exportedOutputs" in tx ? tx.exportedOutputs : [], "C"),
    ...(balances === 0n ? [] : [{ part: "L1 balance" as const, amount: balances, ...nobody }]),
  ]
}

/** A fee of more than this many times the least price of gas is unusual. */
const LARGE_FEE = 100n

function unusualFee({ chain, tx }: Unsigned, fee: bigint): readonly Unusual[] {
  // The C-Chain has no least price.
  if (chain === "C") return []
  const params = paramsFor(tx.networkID)
  const least = feeOf(tx, { params }, params.dynamicFee.minPrice)
  if (fee <= least * LARGE_FEE) return []
  return [{ code: "large_fee", sentence: `it burns ${avaxText(fee)}, ${fee / least} times the least fee` }]
}

function unusualAssets(assets: readonly (readonly [ID, bigint])[]): readonly Unusual[] {
  if (assets.length === 1) return []
  const burned = assets.map(([assetID, amount]) => `${amount} of ${idText(assetID)}`).join(", ")
  const sentence = assets.length === 0 ? "it burns nothing, so no chain accepts it" : `it burns several assets: ${burned}`
  return [{ code: "other_assets", sentence }]
}

const YEAR = 365n * 86_400n

function unusualOutput({ part, amount, addresses, lockedUntil = 0n }: ReviewedOutput, now: bigint): readonly Unusual[] {
  const named = `the ${part} of ${amount} nAVAX`
  if (part !== "L1 balance" && addresses.length === 0) return [{ code: "anyone", sentence: `anyone can spend ${named}` }]
  if (lockedUntil <= now + YEAR) return []
  return [{ code: "long_lock", sentence: `${named} is locked until ${printRfc3339(lockedUntil)}` }]
}

/** A payment goes to others by its nature. What returns to its owners, and rights, usually stay with the signers. */
function unknownOwners(
  outputs: readonly ReviewedOutput[],
  rights: TxReview["rights"],
  signers: readonly string[],
  known: readonly string[] | undefined,
): readonly Unusual[] {
  const trusted = new Set([...signers, ...(known ?? [])].map(withoutChain))
  const suspects = [
    ...outputs
      .filter(({ part }) => known !== undefined || part === "stake")
      .map((each) => ({ ...each, what: `the ${each.part} of ${avaxText(each.amount)}` })),
    ...rights.map((each) => ({ ...each, what: each.right })),
  ]
  return suspects.flatMap(({ what, addresses }) => {
    const strangers = addresses.filter((address) => !trusted.has(withoutChain(address)))
    if (strangers.length === 0) return []
    return [{ code: "unknown_owner" as const, sentence: `owners of ${what} who do not sign: ${strangers.join(", ")}` }]
  })
}

/** One key has the same bech32 address on each chain. */
const withoutChain = (address: string): string => address.replace(/^[PC]-/, "").toLowerCase()
