import { encode, versioned } from "../core/codec/decode.js"
import { sha256 } from "../core/crypto/hash.js"
import { hexToBytes } from "../core/lib/bytes.js"
import { Invalid, valueOrUndefined } from "../core/lib/invalid.js"
import { toHexText } from "../core/types/hexText.js"
import { EMPTY_ID, type ID, idOf, idText, P_CHAIN_ID, parseID } from "../core/types/id.js"
import { innerOutput } from "../core/types/output.js"
import type { Utxo } from "../core/types/utxo.js"
import { evmAddressOf } from "../evm/address.js"
import { type AtomicTx, atomicTx, unsignedAtomicTx } from "../evm/atomicTx.js"
import { secp256k1 } from "../platform/backends.js"
import type { SigningKey } from "../producer/keys/key.js"
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

/** The gas of an atomic transaction besides its bytes, and that of each signature. */
const [TX_GAS, SIGNATURE_GAS] = [10_000n, 1_000n]

/** The gas that a block may ask for besides, since Fortuna, to come without a pause after the one before. */
const BLOCK_GAS = 1_000_000n

/** The wei of a nAVAX. */
const WEI = 1_000_000_000n

type Unsigned = AtomicTx["unsignedTx"]

/** The place of a C-Chain: its ID, the asset, and the network. */
interface CChainPlace {
  readonly networkID: number
  readonly chainID: ID
  readonly avaxAssetID: ID
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
    const { networkID } = await node("info.getNetworkID", {})
    const { assetID } = await node("platform.getStakingAssetID", {})
    const { blockchainID } = await node("info.getBlockchainID", { alias: "C" })
    return new CChainAccount(call, { networkID, chainID: parseID(blockchainID), avaxAssetID: parseID(assetID) }, key)
  }

  get chainID(): ID {
    return this.#place.chainID
  }

  /** Puts an amount (nAVAX) for the owner's address on the P-Chain. The account pays the fee besides. */
  async export(amount: bigint): Promise<{ readonly txID: string; readonly utxo: Utxo }> {
    const { networkID, chainID, avaxAssetID: assetID } = this.#place
    const owner = { locktime: 0n, threshold: 1, addresses: [this.#key.address] }
    const output = { kind: "TransferOutput", amount, ...owner } as const
    const nonce = BigInt((await this.#call("/rpc", "eth_getTransactionCount", [this.address, "latest"])) as string)
    const make = (fee: bigint): Unsigned => ({
      ...{ kind: "export", networkID, chainID, destinationChain: P_CHAIN_ID },
      inputs: [{ address: hexToBytes(this.address.slice(2)), amount: amount + fee, assetID, nonce }],
      outputs: [{ assetID, output }],
    })
    const txID = await this.#issue(make(await this.#feeOf(make(0n))))
    return { txID, utxo: { txID: parseID(txID), outputIndex: 0, assetID, output } }
  }

  /** Returns the fee of the import of an amount, nAVAX. */
  importFeeOf(amount: bigint): Promise<bigint> {
    const owner = { locktime: 0n, threshold: 1, addresses: [this.#key.address] }
    const { avaxAssetID: assetID } = this.#place
    const utxo: Utxo = { txID: EMPTY_ID, outputIndex: 0, assetID, output: { kind: "TransferOutput", amount, ...owner } }
    return this.#feeOf(this.#importOf(utxo, amount))
  }

  /** Takes a UTXO of the owner that the P-Chain has put. The fee is taken from it. Throws `client.amount_too_small`. */
  async import(utxo: Utxo): Promise<{ readonly txID: string; readonly received: bigint }> {
    const { amount } = innerOutput(utxo.output)
    const fee = await this.#feeOf(this.#importOf(utxo, amount))
    if (fee >= amount) throw clientError("client.amount_too_small", { amount, fee })
    return { txID: await this.#issue(this.#importOf(utxo, amount - fee)), received: amount - fee }
  }

  #importOf({ txID, outputIndex, assetID, output }: Utxo, received: bigint): Unsigned {
    const { networkID, chainID } = this.#place
    const input = { kind: "TransferInput", amount: innerOutput(output).amount, signatureIndices: [0] } as const
    return {
      ...{ kind: "import", networkID, chainID, sourceChain: P_CHAIN_ID },
      inputs: [{ txID, outputIndex, assetID, input }],
      outputs: [{ address: hexToBytes(this.address.slice(2)), amount: received, assetID }],
    }
  }

  /** Returns whether a transaction is in an accepted block. From AvalancheGo v1.15.2 on the VM has no method for the status. */
  async hasAccepted(txID: string): Promise<boolean> {
    try {
      const found = await this.#call("/avax", "avax.getAtomicTx", { txID, encoding: "hex" })
      return (found as { readonly blockHeight?: string }).blockHeight !== undefined
    } catch (error) {
      // It is neither in a block nor waits.
      if (error instanceof Invalid && error.code === "client.refused_by_c_chain") return false
      throw error
    }
  }

  /** The fee with which a block of this transaction alone comes at once, nAVAX. The base fee may double until then. */
  async #feeOf(unsigned: Unsigned): Promise<bigint> {
    const { baseFeePerGas = "0x0" } = (await this.#call("/rpc", "eth_getBlockByNumber", ["latest", false])) as {
      readonly baseFeePerGas?: string
    }
    const gas = BigInt(this.#signed(unsigned).length) + SIGNATURE_GAS * BigInt(unsigned.inputs.length) + TX_GAS + BLOCK_GAS
    return (gas * 2n * BigInt(baseFeePerGas) + WEI - 1n) / WEI
  }

  #signed(unsignedTx: Unsigned): Uint8Array {
    const signature = secp256k1().sign(sha256(encode(versioned(unsignedAtomicTx), unsignedTx)), this.#key.secret)
    const credentials = unsignedTx.inputs.map(() => ({ kind: "Credential" as const, signatures: [signature] }))
    return encode(versioned(atomicTx), { unsignedTx, credentials })
  }

  async #issue(unsigned: Unsigned): Promise<string> {
    const bytes = this.#signed(unsigned)
    await this.#call("/avax", "avax.issueTx", { tx: toHexText(bytes), encoding: "hex" })
    return idText(idOf(bytes))
  }
}
