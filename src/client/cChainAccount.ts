import { encode, versioned } from "../core/codec/decode.js"
import { sha256 } from "../core/crypto/hash.js"
import { Invalid, valueOrUndefined } from "../core/lib/invalid.js"
import { toHexText } from "../core/types/hexText.js"
import { EMPTY_ID, type ID, idOf, idText, parseID } from "../core/types/id.js"
import { innerOutput } from "../core/types/output.js"
import type { Utxo } from "../core/types/utxo.js"
import { evmAddressOf } from "../evm/address.js"
import { unsignedAtomicTx } from "../evm/atomicTx.js"
import { secp256k1 } from "../platform/backends.js"
import { inputOfUtxo } from "../producer/funds/payment.js"
import type { SigningKey } from "../producer/keys/key.js"
import {
  atomicFeeOf,
  type CChainPlace,
  signedAtomicBytes,
  type UnsignedAtomicTx,
  unsignedExport,
  unsignedImport,
} from "./atomicTxs.js"
import type { Call } from "./client.js"
import { clientError } from "./errors.js"

/** Calls a method of the C-Chain at one of its paths, and returns the result. Throws `client.refused_by_c_chain` with its words. */
export type CChainCall = (path: "/rpc" | "/avax", method: string, params: object) => Promise<unknown>

/** Calls the C-Chain of the node at an address. Throws `client.no_c_chain`. */
export function cChainCallTo(url: string): CChainCall {
  return async (path, method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const place = `${url}/ext/bc/C${path}`
    const noAnswer = (reason: string) => clientError("client.no_c_chain", { url: place, reason })
    if (url === "") throw noAnswer("the node has no port")
    const answer = await fetch(place, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => {
      throw noAnswer("nobody answers")
    })
    const text = await answer.text()
    const found = answer.status === 200 ? (valueOrUndefined(() => JSON.parse(text)) as RpcAnswer | undefined) : undefined
    if (!found) throw noAnswer(`${answer.status} ${text.slice(0, 200).trim()}`)
    if (found.error) throw clientError("client.refused_by_c_chain", { method, reason: String(found.error.message) })
    return found.result
  }
}

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
}

/** Returns the base fee of the last block of a C-Chain, wei. */
export async function baseFeeOf(call: CChainCall): Promise<bigint> {
  const block = await call("/rpc", "eth_getBlockByNumber", ["latest", false])
  return BigInt((block as { readonly baseFeePerGas?: string }).baseFeePerGas ?? "0x0")
}

/** Returns the number of transactions of an account (`0x` and hex) of a C-Chain. */
export async function nonceOf(call: CChainCall, address: string): Promise<bigint> {
  return BigInt((await call("/rpc", "eth_getTransactionCount", [address, "latest"])) as string)
}

/** Returns whether a transaction is in an accepted block of a C-Chain. From AvalancheGo v1.15.2 on the VM has no method for the status. */
export async function isAcceptedByC(call: CChainCall, txID: string): Promise<boolean> {
  try {
    const found = await call("/avax", "avax.getAtomicTx", { txID, encoding: "hex" })
    return (found as { readonly blockHeight?: string }).blockHeight !== undefined
  } catch (error) {
    // It is neither in a block nor waits.
    if (error instanceof Invalid && error.code === "client.refused_by_c_chain") return false
    throw error
  }
}

/** Returns the C-Chain of a node. */
export async function cChainPlaceOf(node: Call): Promise<CChainPlace> {
  const { networkID } = await node("info.getNetworkID", {})
  const { assetID } = await node("platform.getStakingAssetID", {})
  const { blockchainID } = await node("info.getBlockchainID", { alias: "C" })
  return { networkID, chainID: parseID(blockchainID), avaxAssetID: parseID(assetID) }
}

/** The account of a key on the C-Chain of a node. Its atomic transactions are signed here. */
export class CChainAccount {
  readonly #call: CChainCall
  readonly #place: CChainPlace
  readonly #key: SigningKey
  /** Hex with `0x`. */
  readonly address: string

  private constructor(call: CChainCall, place: CChainPlace, key: SigningKey) {
    this.#call = call
    this.#place = place
    this.#key = key
    this.address = evmAddressOf(key.publicKey ?? secp256k1().publicKey(key.secret)) as string
  }

  static async open(node: Call, call: CChainCall, key: SigningKey): Promise<CChainAccount> {
    return new CChainAccount(call, await cChainPlaceOf(node), key)
  }

  get chainID(): ID {
    return this.#place.chainID
  }

  /** Puts an amount (nAVAX) for the owner's address on the P-Chain. The account pays the fee besides. */
  async export(amount: bigint): Promise<{ readonly txID: string; readonly utxo: Utxo }> {
    const { output, assetID } = this.#utxoOf(EMPTY_ID, amount)
    const from = { address: this.address, nonce: await nonceOf(this.#call, this.address), output: innerOutput(output) }
    const fee = await this.#feeOf(unsignedExport(this.#place, from, 0n))
    const txID = await this.#issue(unsignedExport(this.#place, from, fee))
    return { txID, utxo: { txID: parseID(txID), outputIndex: 0, assetID, output } }
  }

  /** Returns the fee of the import of an amount, nAVAX. */
  importFeeOf(amount: bigint): Promise<bigint> {
    return this.#feeOf(this.#importOf(this.#utxoOf(EMPTY_ID, amount), 0n))
  }

  /** Takes a UTXO of the owner that the P-Chain has put. The fee is taken from it. Throws `client.amount_too_small`. */
  async import(utxo: Utxo): Promise<{ readonly txID: string; readonly received: bigint }> {
    const { amount } = innerOutput(utxo.output)
    const fee = await this.#feeOf(this.#importOf(utxo, 0n))
    if (fee >= amount) throw clientError("client.amount_too_small", { amount, fee })
    return { txID: await this.#issue(this.#importOf(utxo, fee)), received: amount - fee }
  }

  #utxoOf(txID: ID, amount: bigint): Utxo {
    const owner = { locktime: 0n, threshold: 1, addresses: [this.#key.address] }
    return { txID, outputIndex: 0, assetID: this.#place.avaxAssetID, output: { kind: "TransferOutput", amount, ...owner } }
  }

  #importOf(utxo: Utxo, fee: bigint): UnsignedAtomicTx {
    return unsignedImport(this.#place, [inputOfUtxo(utxo, [0])], this.address, fee)
  }

  async #feeOf(unsigned: UnsignedAtomicTx): Promise<bigint> {
    return atomicFeeOf(unsigned, await baseFeeOf(this.#call))
  }

  async #issue(unsigned: UnsignedAtomicTx): Promise<string> {
    const signature = secp256k1().sign(sha256(encode(versioned(unsignedAtomicTx), unsigned)), this.#key.secret)
    const bytes = signedAtomicBytes(
      unsigned,
      unsigned.inputs.map(() => [signature]),
    )
    await this.#call("/avax", "avax.issueTx", { tx: toHexText(bytes), encoding: "hex" })
    return idText(idOf(bytes))
  }
}
