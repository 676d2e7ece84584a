import { encode } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import { hrpOf, networkNameOf } from "../../core/networks/names.js"
import type { Owners } from "../../core/rules/authorise.js"
import { type Address, addressText, parsePChainAddress } from "../../core/types/address.js"
import { fromHexText } from "../../core/types/hexText.js"
import { idText, parseID } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoReference } from "../../core/types/utxo.js"
import { baseFeeOf, type CChainCall, cChainPlaceOf, nonceOf } from "../cChainAccount.js"
import type { Call } from "../client.js"
import { clientError } from "../errors.js"
import { clockOf, utxoOf, utxosAt } from "../nodeFacts.js"
import { buildAtomicTxFile, buildTxFile, ownersOfFunds, wrapTx } from "./buildTxFile.js"
import type { TxFile } from "./format.js"
import { openTxFile, type SignedTx, signedTxOfFile } from "./txFile.js"
import type { TxForm } from "./txForms.js"
import { decodeUnsigned, type UserTx } from "./unsigned.js"

/** A transaction that is made with the UTXOs and the prices of a node. */
export interface NodeTxRequest {
  readonly form: TxForm
  /** The addresses whose funds are spent, and whose keys will sign. */
  readonly from: readonly string[]
  /** The UTXOs that may be spent, as `txID:index`; by default all of those addresses. */
  readonly utxos?: readonly string[] | undefined
  /** The address that gets the change; by default the owners of what is spent. */
  readonly change?: string | undefined
  /** The alias or the ID of the chain from which an ImportTx takes. */
  readonly sourceChain?: string | undefined
  /** The clock of this machine, Unix seconds. */
  readonly now: bigint
}

/** Makes the file of a transaction of the P-Chain with what a node knows. Throws as `buildTxFile` does. */
export async function buildTxAt(call: Call, request: NodeTxRequest): Promise<TxFile> {
  const { form, from, change, sourceChain } = request
  const { networkID, avaxAssetID } = await networkOf(call)
  const read = (text: string) => parsePChainAddress(text, hrpOf(networkID))
  const signers = from.map(read)
  const now = await clockOf(call, request.now)
  const own = await utxosAt(call, from)
  const waiting = sourceChain === undefined ? [] : await utxosAt(call, from, sourceChain)
  const { utxos, imported } = chosen(own, waiting, request.utxos)
  const changeOwner = change === undefined ? undefined : { threshold: 1, addresses: [read(change)] }
  const funds = { avaxAssetID, now, signers }
  const first = { threshold: 1, addresses: signers.slice(0, 1) }
  const owners = changeOwner ?? ownersOfFunds(imported, funds) ?? ownersOfFunds(utxos, funds) ?? first
  const tx = form({ networkID, avaxAssetID, owners, now })
  const { price } = await call("platform.getFeeState", {})
  return buildTxFile({ ...funds, tx, price, utxos, imported, change: owners, authority: await authorityOf(call, tx) })
}

/** Returns the UTXOs with these references among those of the addresses; all without references. Throws `client.wrong_utxo`. */
function chosen(utxos: readonly Utxo[], imported: readonly Utxo[], references: readonly string[] | undefined) {
  if (references === undefined) return { utxos, imported }
  const isNamed = ({ txID, outputIndex }: Utxo) => references.includes(utxoReference(txID, outputIndex))
  const found = { utxos: utxos.filter(isNamed), imported: imported.filter(isNamed) }
  const all = [...found.utxos, ...found.imported].map(({ txID, outputIndex }) => utxoReference(txID, outputIndex))
  const unknown = references.find((reference) => !all.includes(reference))
  if (unknown !== undefined) throw clientError("client.wrong_utxo", { input: unknown, what: "unknown" })
  return found
}

/** Makes the file of a transaction of the P-Chain that another tool has made, from its unsigned bytes as hex with a checksum. */
export async function wrapTxAt(call: Call, text: string, from: readonly string[]): Promise<TxFile> {
  const unsigned = decodeUnsigned("P", fromHexText(text))
  const { networkID } = await networkOf(call)
  if (unsigned.tx.networkID !== networkID) {
    const data = { expected: networkNameOf(networkID), got: networkNameOf(unsigned.tx.networkID) }
    throw clientError("client.other_network", data)
  }
  const { tx } = unsigned
  const sources = "sourceChain" in tx ? ["", idText(tx.sourceChain)] : [""]
  const utxos = (await Promise.all(sources.map((source) => utxosAt(call, from, source)))).flat()
  return wrapTx(unsigned, utxos, unsigned.chain === "P" ? await authorityOf(call, unsigned.tx) : undefined)
}

/** An export from an account of the C-Chain, or an import there of what the P-Chain has put for addresses. */
export type NodeAtomicRequest =
  | { readonly kind: "export"; readonly from: string; readonly to: string; readonly amount: bigint }
  | { readonly kind: "import"; readonly from: readonly string[]; readonly to: string; readonly now: bigint }

/** Makes the file of an atomic transaction of the C-Chain with what a node knows. Throws as `buildAtomicTxFile` does. */
export async function buildAtomicTxAt(call: Call, cChain: CChainCall, request: NodeAtomicRequest): Promise<TxFile> {
  const place = await cChainPlaceOf(call)
  const baseFee = await baseFeeOf(cChain)
  const hrp = hrpOf(place.networkID)
  if (request.kind === "export") {
    const { from: address, to, amount } = request
    const addresses = [parsePChainAddress(to, hrp)]
    const output = { kind: "TransferOutput" as const, amount, locktime: 0n, threshold: 1, addresses }
    const nonce = await nonceOf(cChain, address)
    return buildAtomicTxFile({ place, baseFee, tx: { kind: "export", address, nonce, output } })
  }
  const signers = request.from.map((text) => parsePChainAddress(text, hrp))
  const utxos = await exportedUtxos(cChain, request.from)
  const now = await clockOf(call, request.now)
  return buildAtomicTxFile({ place, baseFee, tx: { kind: "import", utxos, signers, address: request.to, now } })
}

/** Returns what the P-Chain has put for addresses (`P-…`) of the C-Chain, up to the 1,024 UTXOs of a page. */
async function exportedUtxos(cChain: CChainCall, from: readonly string[]): Promise<readonly Utxo[]> {
  const addresses = from.map((text) => text.replace(/^[^-]*/, "C"))
  const found = await cChain("/avax", "avax.getUTXOs", { addresses, sourceChain: "P", encoding: "hex" })
  return (found as { readonly utxos: readonly string[] }).utxos.map(utxoOf)
}

/** Returns the UTXOs of a file, as `txID:index`, that a node does not have with the same owners: spent ones, or such that a file claims. */
export async function utxosNotAt(call: Call, cChain: CChainCall, file: TxFile): Promise<readonly string[]> {
  const { unsigned, utxos } = openTxFile(file)
  const { chain, tx } = unsigned
  const addresses = [...new Set(utxos.flatMap(({ output }) => innerOutput(output).addresses))]
  const texts = addresses.map((address) => addressText(address, hrpOf(tx.networkID)))
  if (texts.length === 0) return []
  const sources = chain === "P" && tx.kind === "ImportTx" ? ["", idText(tx.sourceChain)] : [""]
  const found =
    chain === "C" ? [await exportedUtxos(cChain, texts)] : await Promise.all(sources.map((each) => utxosAt(call, texts, each)))
  const known = new Set(found.flat().map((utxo) => toHex(encode(topLevelUtxo, utxo))))
  return utxos
    .filter((utxo) => !known.has(toHex(encode(topLevelUtxo, utxo))))
    .map(({ txID, outputIndex }) => utxoReference(txID, outputIndex))
}

/** Issues a transaction with all its signatures, and returns its ID. Throws `client.other_network`. */
export async function issueTxFile(call: Call, cChain: CChainCall, file: TxFile): Promise<SignedTx> {
  const { unsigned } = openTxFile(file)
  const { networkID: expected } = await call("info.getNetworkID", {})
  const got = unsigned.tx.networkID
  if (got !== expected) throw clientError("client.other_network", { expected: networkNameOf(expected), got: networkNameOf(got) })
  const signed = signedTxOfFile(file)
  if (signed.chain === "P") await call("platform.issueTx", { tx: signed.tx })
  else await cChain("/avax", "avax.issueTx", { tx: signed.tx, encoding: "hex" })
  return signed
}

async function networkOf(call: Call) {
  const { networkID } = await call("info.getNetworkID", {})
  const { assetID } = await call("platform.getStakingAssetID", {})
  return { networkID, avaxAssetID: parseID(assetID) }
}

/** Returns the owners of the subnet or the validator for which a transaction acts; `undefined` if it acts for none. */
async function authorityOf(call: Call, tx: UserTx): Promise<Owners | undefined> {
  const hrp = hrpOf(tx.networkID)
  const owners = (threshold: bigint | number | string, addresses: readonly string[], locktime: bigint | string = 0n): Owners => ({
    threshold: Number(threshold),
    addresses: addresses.map((text): Address => parsePChainAddress(text, hrp)),
    locktime: BigInt(locktime),
  })
  if ("subnetAuthorization" in tx) {
    const subnetID = "validator" in tx ? tx.validator.subnetID : tx.subnetID
    const { controlKeys, threshold, locktime, owner } = await call("platform.getSubnet", { subnetID: idText(subnetID) })
    return owner ? owners(owner.threshold, owner.addresses, owner.locktime) : owners(threshold, controlKeys, locktime)
  }
  if (tx.kind === "DisableL1ValidatorTx") {
    const { deactivationOwner } = await call("platform.getL1Validator", { validationID: idText(tx.validationID) })
    return deactivationOwner && owners(deactivationOwner.threshold, deactivationOwner.addresses, deactivationOwner.locktime)
  }
  if (tx.kind === "SetAutoRenewedValidatorConfigTx") {
    const { tx: added } = await call("platform.getTx", { txID: idText(tx.txID), encoding: "json" })
    const { validatorAuthority: authority } = added.unsignedTx as { readonly validatorAuthority?: AuthorityJson }
    return authority && owners(authority.threshold, authority.addresses, authority.locktime)
  }
  return undefined
}

interface AuthorityJson {
  readonly threshold: number
  readonly addresses: readonly string[]
  readonly locktime: bigint
}
