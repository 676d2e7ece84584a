import { concatBytes, hexToBytes, toHex } from "../../lib/bytes.js"
import { MAX64 } from "../../lib/math64.js"
import type { ID } from "../id.js"

/** A message of ICM's contract TeleporterMessenger, which is the payload of a Warp message. Addresses are hex with `0x`. */
export interface IcmMessage {
  /** The number of the message, by sender and destination. */
  readonly nonce: bigint
  /** The account or contract that sends it through the ICM contract, and its receiver. */
  readonly sender: string
  readonly receiver: string
  readonly destinationChainID: ID
  /** The gas that the receiver gets. */
  readonly gasLimit: bigint
  /** The accounts that may deliver it; anyone may if there are none. */
  readonly relayers: readonly string[]
  readonly message: Uint8Array
}

const WORD = 32

/** Reads a message of ICM from the payload of an addressed call. Returns `undefined` if it is none. */
export function readIcmMessage(payload: Uint8Array): IcmMessage | undefined {
  const abi = new AbiReader(payload)
  const start = abi.number(0)
  const nonce = start === WORD ? abi.integer(start) : undefined
  if (start === undefined || nonce === undefined || nonce > MAX64) return undefined
  const [sender, receiver] = [abi.address(start + WORD), abi.address(start + 3 * WORD)]
  const destination = abi.word(start + 2 * WORD)
  const gasLimit = abi.integer(start + 4 * WORD)
  const relayers = abi.addresses(start, 5)
  const message = abi.bytes(start, 7)
  if (!sender || !receiver || !destination || gasLimit === undefined || !relayers || !message) return undefined
  return { nonce, sender, receiver, destinationChainID: toHex(destination) as ID, gasLimit, relayers, message }
}

/** Reads values in the ABI of Solidity. Each method returns `undefined` where there is no such value. */
class AbiReader {
  readonly #data: Uint8Array

  constructor(data: Uint8Array) {
    this.#data = data
  }

  word(at: number): Uint8Array | undefined {
    return at + WORD <= this.#data.length ? this.#data.subarray(at, at + WORD) : undefined
  }

  integer(at: number): bigint | undefined {
    const word = this.word(at)
    return word && BigInt(`0x${toHex(word)}`)
  }

  /** Reads a place or a length, which is less than the size of the data. */
  number(at: number): number | undefined {
    const value = this.integer(at)
    return value !== undefined && value < BigInt(this.#data.length) ? Number(value) : undefined
  }

  address(at: number): string | undefined {
    const word = this.word(at)
    return word?.subarray(0, 12).every((byte) => byte === 0) ? `0x${toHex(word.subarray(12))}` : undefined
  }

  /** Reads the list of addresses whose place is in a member of the structure at `start`. */
  addresses(start: number, member: number): readonly string[] | undefined {
    const list = this.#list(start, member)
    if (!list || list.at + list.length * WORD > this.#data.length) return undefined
    const found = Array.from({ length: list.length }, (_, i) => this.address(list.at + i * WORD))
    return found.every((each) => each !== undefined) ? found : undefined
  }

  /** Reads the bytes whose place is in a member of the structure at `start`. */
  bytes(start: number, member: number): Uint8Array | undefined {
    const list = this.#list(start, member)
    if (!list || list.at + list.length > this.#data.length) return undefined
    return this.#data.subarray(list.at, list.at + list.length)
  }

  #list(start: number, member: number) {
    const place = this.number(start + member * WORD)
    const length = place === undefined ? undefined : this.number(start + place)
    return place === undefined || length === undefined ? undefined : { at: start + place + WORD, length }
  }
}

/**
 * Returns the ID that an ICM contract gives a message, as hex with `0x`. The contract has the same address on all chains. `keccak256` is the
 * hash of the EVM.
 */
export function icmMessageID(
  contract: string,
  sourceChainID: ID,
  { destinationChainID, nonce }: Pick<IcmMessage, "destinationChainID" | "nonce">,
  keccak256: (bytes: Uint8Array) => Uint8Array,
): string {
  const words = [abiAddress(contract), sourceChainID, destinationChainID, nonce.toString(16).padStart(64, "0")]
  return `0x${toHex(keccak256(concatBytes(...words.map(hexToBytes))))}`
}

/** Returns the data of the call with which a relayer delivers the only message of a transaction: `receiveCrossChainMessage(uint32,address)`. */
export const deliveryCall = (relayer: string): string => `0xccb5f809${"0".repeat(64)}${abiAddress(relayer)}`

/** Returns the data of the call that asks a contract whether it has received a message: `messageReceived(bytes32)`. */
export const receivedCall = (icmID: string): string => `0xebc3b1ba${icmID.slice(2)}`

/** The first topic of the event of a message whose receiver failed: `MessageExecutionFailed(bytes32,bytes32,TeleporterMessage)`. */
export const EXECUTION_FAILED = "0x4619adc1017b82e02eaefac01a43d50d6d8de4460774bc370c3ff0210d40c985"

const abiAddress = (address: string): string => address.slice(2).toLowerCase().padStart(64, "0")
