import { keccak_256 } from "@noble/hashes/sha3.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { secp256k1 } from "../../src/platform/backends.js"

/** Calls a method of an EVM chain. Throws the error of its answer. */
export async function eth(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  const { result, error } = JSON.parse(text) as { result: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

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

function integer(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0)
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
}

/** A payment on an EVM chain. */
export interface Transfer {
  readonly chainID: bigint
  readonly nonce: number
  readonly to: string
  readonly value: bigint
  readonly privateKey: string
  /** The data of a call, as hex with `0x`. */
  readonly data?: string
}

/** Makes a signed transaction of the first kind, with the chain ID of EIP-155. */
export function signedTransfer({ chainID, nonce, to, value, privateKey, data = "0x" }: Transfer): string {
  const fields = [
    integer(BigInt(nonce)),
    integer(100_000_000_000n),
    integer(data === "0x" ? 21_000n : 200_000n),
    hexToBytes(to.slice(2)),
    integer(value),
    hexToBytes(data.slice(2)),
  ]
  const hash = keccak_256(rlp([...fields, integer(chainID), Buffer.alloc(0), Buffer.alloc(0)]))
  const signature = secp256k1().sign(hash, hexToBytes(privateKey.slice(2)))
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((each) =>
    integer(BigInt(`0x${Buffer.from(each).toString("hex")}`)),
  )
  const v = integer(chainID * 2n + 35n + BigInt(signature[64] as number))
  return `0x${rlp([...fields, v, r as Buffer, s as Buffer]).toString("hex")}`
}

/** Waits for the receipt of a transaction. */
export async function receiptOf(url: string, hash: unknown): Promise<{ readonly status: string; readonly blockNumber: string }> {
  for (;;) {
    const receipt = await eth(url, "eth_getTransactionReceipt", [hash])
    if (receipt) return receipt as { status: string; blockNumber: string }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
