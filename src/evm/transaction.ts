import { hexToBytes } from "../core/lib/bytes.js"
import { secp256k1 } from "../platform/backends.js"
import { keccak256 } from "./address.js"
import { encodeRlp, integerBytes, type Rlp } from "./rlp.js"

/** The tip with which a block of the C-Chain with one transaction pays for itself at once, wei. A fresh chain proposes less, and its blocks take a second or more. */
export const C_CHAIN_TIP = 1_000_000_000n

/** A transaction of an EVM chain with an access list (EIP-2930), or one that names its tip, too (EIP-1559). Bytes are hex with `0x`. */
export interface EvmTransaction {
  readonly chainID: bigint
  readonly nonce: bigint
  /** The price of gas, or the most that is paid for it. */
  readonly gasPrice: bigint
  /** The most that is paid for gas above the base fee; omitted if the price is paid in any case. */
  readonly tip?: bigint | undefined
  readonly gas: bigint
  /** The receiver; omitted if the transaction creates a contract. */
  readonly to?: string | undefined
  readonly value?: bigint
  readonly data?: string
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
}

/** Signs a transaction of an EVM chain. Returns its bytes as hex with `0x`. */
export function signEvmTransaction(tx: EvmTransaction, secret: Uint8Array): string {
  const { chainID, nonce, gasPrice, tip, gas, to = "0x", value = 0n, data = "0x", accessList = [] } = tx
  const access = accessList.map(({ address, storageKeys }) => [bytesOf(address), storageKeys.map(bytesOf)])
  const fields = [
    ...[chainID, nonce, ...(tip === undefined ? [] : [tip]), gasPrice, gas].map(integerBytes),
    ...[bytesOf(to), integerBytes(value), bytesOf(data), access],
  ] satisfies Rlp
  const type = tip === undefined ? 1 : 2
  const signature = secp256k1().sign(keccak256(typed(type, fields)), secret)
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((each) => integerBytes(integerOf(each)))
  const parity = integerBytes(BigInt(signature[64] as number))
  return `0x${typed(type, [...fields, parity, r as Uint8Array, s as Uint8Array]).toString("hex")}`
}

/** The bytes of a transaction of a type, 1 or 2. */
const typed = (type: number, fields: Rlp): Buffer => Buffer.concat([Buffer.from([type]), encodeRlp(fields)])

const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2).toLowerCase())
const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
