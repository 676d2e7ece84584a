import { decode, encode, versioned } from "../core/codec/decode.js"
import { list } from "../core/codec/list.js"
import { oneOf, variant } from "../core/codec/oneOf.js"
import { fixedBytes, u32, u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { hexToBytes } from "../core/lib/bytes.js"
import { credential } from "../core/types/credential.js"
import { type ID, id, idOf } from "../core/types/id.js"
import { transferableInput } from "../core/types/input.js"
import { transferableOutput } from "../core/types/output.js"
import { rlpItems } from "./rlp.js"

const account = { address: fixedBytes(20), amount: u64, assetID: id }

/** Takes UTXOs that another chain has put, and pays accounts of the C-Chain. */
const importTx = variant("import", 0, {
  networkID: u32,
  chainID: id,
  sourceChain: id,
  inputs: list(transferableInput),
  outputs: list(struct(account)),
})

/** Takes from accounts of the C-Chain, and puts UTXOs for another chain. */
const exportTx = variant("export", 1, {
  networkID: u32,
  chainID: id,
  destinationChain: id,
  inputs: list(struct({ ...account, nonce: u64 })),
  outputs: list(transferableOutput),
})

export const unsignedAtomicTx = oneOf({ interface: "atomic.UnsignedAtomicTx", registered: {} }, importTx, exportTx)
export const atomicTx = struct({ unsignedTx: unsignedAtomicTx, credentials: list(credential) })
const topLevelTx = versioned(atomicTx)
const topLevelUnsigned = versioned(unsignedAtomicTx)
const blockData = versioned(list(atomicTx))

/** An atomic transaction of the C-Chain. Its codec and its type IDs are not those of the P-Chain. */
export interface AtomicTx extends TypeOf<typeof atomicTx> {
  readonly id: ID
  /** The hash that its owners have signed. */
  readonly signingHash: Uint8Array
}

/** The position of the atomic transactions in a block: after its header, its transactions, its uncles and its version. */
const DATA = 4

/** Returns the atomic transactions in the bytes of a block of the C-Chain. Throws `RangeError` and `codec.*`. */
export function atomicTxsIn(block: Uint8Array): readonly AtomicTx[] {
  return atomicTxsOf(rlpItems(block)[DATA] ?? new Uint8Array(0))
}

/** Returns the atomic transactions in the extra data of a block of the C-Chain. Throws `codec.*`. */
export function atomicTxsOf(data: Uint8Array): readonly AtomicTx[] {
  if (data.length === 0) return []
  return decode(blockData, data).map((tx) => {
    return { ...tx, id: idOf(encode(topLevelTx, tx)), signingHash: hexToBytes(idOf(encode(topLevelUnsigned, tx.unsignedTx))) }
  })
}
