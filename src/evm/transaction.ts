import { hexToBytes } from "../core/lib/bytes.js"
import { secp256k1 } from "../platform/backends.js"
import { keccak256 } from "./address.js"

/** A transaction of an EVM chain with an access list (EIP-2930). Bytes are hex with `0x`. */
export interface EvmTransaction {
  readonly chainID: bigint
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gas: bigint
  /** The receiver; omitted if the transaction creates a contract. */
  readonly to?: string | undefined
  readonly value?: bigint
  readonly data?: string
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
}

/** Signs a transaction of an EVM chain. Returns its bytes as hex with `0x`. */
export function signEvmTransaction(tx: EvmTransaction, secret: Uint8Array): string {
  const { chainID, nonce, gasPrice, gas, to = "0x", value = 0n, data = "0x", accessList = [] } = tx
  const access = accessList.map(({ address, storageKeys }) => [bytesOf(address), storageKeys.map(bytesOf)])
  const fields = [
    ...[chainID, nonce, gasPrice, gas].map(integer),
    ...[bytesOf(to), integer(value), bytesOf(data), access],
  ] satisfies Rlp
  const signature = secp256k1().sign(keccak256(typed(fields)), secret)
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((each) => integer(integerOf(each)))
  const parity = integer(BigInt(signature[64] as number))
  return `0x${typed([...fields, parity, r as Uint8Array, s as Uint8Array]).toString("hex")}`
}

/** The bytes of a transaction of type 1. */
const typed = (fields: Rlp): Buffer => Buffer.concat([Buffer.from([1]), rlp(fields)])

const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2).toLowerCase())
const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`)

type Rlp = Uint8Array | readonly Rlp[]

/** Encodes a value in RLP. */
function rlp(value: Rlp): Buffer {
  if (!(value instanceof Uint8Array)) {
    const body = Buffer.concat(value.map(rlp))
    return Buffer.concat([lengthOf(body.length, 0xc0), body])
  }
  if (value.length === 1 && (value[0] as number) < 0x80) return Buffer.from(value)
  return Buffer.concat([lengthOf(value.length, 0x80), value])
}

function lengthOf(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.from([offset + length])
  const bytes = integer(BigInt(length))
  return Buffer.concat([Buffer.from([offset + 55 + bytes.length]), bytes])
}

/** Returns the bytes of an integer without leading zeros. */
function integer(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0)
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
}
