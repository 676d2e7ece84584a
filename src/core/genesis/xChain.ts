import { decode, encode, versioned } from "../codec/decode.js"
import { list } from "../codec/list.js"
import { oneOf, variant } from "../codec/oneOf.js"
import { str, u8, u32 } from "../codec/primitives.js"
import { struct } from "../codec/struct.js"
import { hexToBytes } from "../lib/bytes.js"
import { compare } from "../lib/mergeSorted.js"
import { baseFields } from "../txs/base.js"
import { credential } from "../types/credential.js"
import { EMPTY_ID, type ID, idOf } from "../types/id.js"
import { transferOutput } from "../types/output.js"
import type { Allocation } from "./config.js"
import { genesisError } from "./errors.js"

const registered = {
  5: "*secp256k1fx.TransferInput",
  6: "*secp256k1fx.MintOutput",
  7: "*secp256k1fx.TransferOutput",
  8: "*secp256k1fx.MintOperation",
  9: "*secp256k1fx.Credential",
}

const initialState = struct({ fxIndex: u32, outputs: list(oneOf({ interface: "verify.State", registered }, transferOutput)) })

/** The X-Chain's transaction that creates an asset. Its first fields are those of P-Chain transactions; the memo has no limit here. */
const createAssetTx = variant("CreateAssetTx", 1, {
  ...baseFields,
  name: str,
  symbol: str,
  denomination: u8,
  initialStates: list(initialState),
})

/** The X-Chain's genesis bytes: assets by their aliases, without type IDs. */
const xGenesis = versioned(list(struct({ alias: str, ...createAssetTx.fields })))

const unsigned = oneOf({ interface: "txs.UnsignedTx", registered: { 1: "*txs.CreateAssetTx" } }, createAssetTx)
const signed = versioned(struct({ unsignedTx: unsigned, credentials: list(credential) }))

/** The maximum number of values whose order Go's sort keeps if they are equal. It keeps that of any number of values that are sorted already. */
const MOST_SORTED_STABLY = 12

/** Returns the holders of AVAX in the order of their outputs. Throws `genesis.tied_holders`. */
function holdersOf(allocations: readonly Allocation[]): readonly Allocation[] {
  const holders = allocations.filter(({ initialAmount }) => initialAmount > 0n)
  const order = (a: Allocation, b: Allocation) => compare(a.initialAmount, b.initialAmount) || compare(a.avaxAddr, b.avaxAddr)
  const sorted = [...holders].sort(order)
  if (holders.length <= MOST_SORTED_STABLY || holders.every((each, i) => each === sorted[i])) return sorted
  const tied = sorted.find((each, i) => {
    const next = sorted[i + 1]
    return next !== undefined && order(each, next) === 0 && each.ethAddr !== next.ethAddr
  })
  if (tied) throw genesisError("genesis.tied_holders", { amount: tied.initialAmount, ethereumAddress: `0x${tied.ethAddr}` })
  return sorted
}

/** Makes the X-Chain's genesis. Throws `genesis.tied_holders`. */
export function xGenesisBytes(networkID: number, allocations: readonly Allocation[]): Uint8Array {
  const holders = holdersOf(allocations)
  const outputs = holders.map(({ initialAmount, avaxAddr }) => ({
    kind: "TransferOutput" as const,
    amount: initialAmount,
    locktime: 0n,
    threshold: 1,
    addresses: [avaxAddr],
  }))
  const avax = {
    alias: "AVAX",
    networkID,
    blockchainID: EMPTY_ID,
    outputs: [],
    inputs: [],
    memo: hexToBytes(holders.map(({ ethAddr }) => ethAddr).join("")),
    name: "Avalanche",
    symbol: "AVAX",
    denomination: 9,
    // The outputs must be in the order of their bytes, which is that of the holders: amount, then address.
    initialStates: outputs.length === 0 ? [] : [{ fxIndex: 0, outputs }],
  }
  return encode(xGenesis, [avax])
}

/** Returns the ID of AVAX: that of the transaction that would have created the first asset of this X-Chain genesis. */
export function avaxAssetIDOf(xGenesisData: Uint8Array): ID {
  const [first] = decode(xGenesis, xGenesisData)
  if (first === undefined) throw genesisError("genesis.no_asset")
  const { alias: _, ...asset } = first
  return idOf(encode(signed, { unsignedTx: { kind: "CreateAssetTx", ...asset }, credentials: [] }))
}
