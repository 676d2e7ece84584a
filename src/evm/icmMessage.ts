import { concatBytes, hexToBytes, isZero, toHex } from "../core/lib/bytes.js"
import { MAX64 } from "../core/lib/math64.js"
import type { ID } from "../core/types/id.js"

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
  try {
    const start = abi.number(0)
    const nonce = abi.integer(start)
    if (start !== WORD || nonce > MAX64) return undefined
    return {
      nonce,
      sender: abi.address(start + WORD),
      receiver: abi.address(start + 3 * WORD),
      destinationChainID: toHex(abi.bytes(start + 2 * WORD, WORD)) as ID,
      gasLimit: abi.integer(start + 4 * WORD),
      relayers: abi.addressList(start, 5),
      message: abi.byteString(start, 7),
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Reads values in the ABI of Solidity. Each method throws a `RangeError` where there is no such value. */
class AbiReader {
  readonly #data: Uint8Array

  constructor(data: Uint8Array) {
    this.#data = data
  }

  bytes(at: number, size: number): Uint8Array {
    if (at + size > this.#data.length) throw new RangeError(`there are no ${size} bytes at ${at}`)
    return this.#data.subarray(at, at + size)
  }

  integer(at: number): bigint {
    return BigInt(`0x${toHex(this.bytes(at, WORD))}`)
  }

  /** Reads a place or a length, which is less than the size of the data. */
  number(at: number): number {
    const value = this.integer(at)
    if (value >= BigInt(this.#data.length)) throw new RangeError(`the number at ${at} is too large`)
    return Number(value)
  }

  address(at: number): string {
    if (!isZero(this.bytes(at, 12))) throw new RangeError(`there is no address at ${at}`)
    return `0x${toHex(this.bytes(at + 12, 20))}`
  }

  /** Reads the list of addresses whose place is in a member of the structure at `start`. */
  addressList(start: number, member: number): readonly string[] {
    const place = start + this.number(start + member * WORD)
    const words = this.bytes(place + WORD, this.number(place) * WORD)
    return Array.from({ length: words.length / WORD }, (_, i) => this.address(place + WORD + i * WORD))
  }

  /** Reads the bytes whose place is in a member of the structure at `start`. */
  byteString(start: number, member: number): Uint8Array {
    const place = start + this.number(start + member * WORD)
    return this.bytes(place + WORD, this.number(place))
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
