import type { Secp256k1 } from "../crypto/secp256k1.js"
import { equalBytes, fromHex, hexToBytes, latin1, toHex } from "../lib/bytes.js"
import { valueOrThrow } from "../lib/invalid.js"
import { FUJI_ID, hrpOf, LOCAL_ID, MAINNET_ID } from "../networks/names.js"
import { ADDRESS_SIZE, type Address, addressOfKey, addressText, bech32Text, parseAddress, shortIDText } from "../types/address.js"
import { checksumOf, fromCb58, toCb58 } from "../types/cb58.js"
import { ID_SIZE, type NodeID, nodeIDText, parseNodeID } from "../types/id.js"
import { parsePrivateKey, privateKeyText } from "../types/privateKey.js"
import { parseUtxoReference, utxoID } from "../types/utxo.js"
import { wireError } from "./errors.js"

export interface RecognisedText {
  /** `ID`, `NodeID`, `Address`, `ShortID`, `PrivateKey`, `PublicKey`, `UTXO`, or a kind by the number of bytes. */
  readonly kind: string
  readonly bytes: Uint8Array
  /** The network that an address names by its HRP. */
  readonly hrp?: string
  /** The chain that an address names: `P`, `X`, `C`. */
  readonly chain?: string
}

/** The text forms of a value, which depend on its kind. */
export type Forms = Readonly<Record<string, string>>

const BECH32 = /^[a-z]{1,30}1[02-9ac-hj-np-z]{38}$/

/** Kinds of bytes by their length, where nothing else identifies them. */
const bySize: Readonly<Record<number, string>> = {
  20: "ShortID",
  32: "ID",
  33: "PublicKey",
  48: "BLSPublicKey",
  65: "Signature",
  96: "BLSSignature",
}

/** Recognises a text. Throws `wire.unknown_text`, or the reason why it is malformed. */
export function identifyText(text: string): RecognisedText {
  if (text.startsWith("NodeID-")) return { kind: "NodeID", bytes: hexToBytes(parseNodeID(text)) }
  if (text.startsWith("PrivateKey-")) return { kind: "PrivateKey", bytes: parsePrivateKey(text) }
  if (text.includes(":")) {
    const { txID, outputIndex } = parseUtxoReference(text)
    return { kind: "UTXO", bytes: hexToBytes(utxoID(txID, outputIndex)) }
  }
  const raw = hexOf(text)
  if (raw) return { kind: bySize[raw.length] ?? "Bytes", bytes: raw }
  if (BECH32.test(text)) return addressIn(`P-${text}`)
  if (text.includes("-")) return addressIn(text)
  const bytes = valueOrThrow(
    () => fromCb58(text),
    ({ sentence }) => wireError("wire.unknown_text", { text: text.slice(0, 128), asCb58: sentence }),
  )
  return { kind: bySize[bytes.length] ?? "Bytes", bytes }
}

function addressIn(text: string): RecognisedText {
  const { chain, hrp, address } = parseAddress(text)
  return { kind: "Address", bytes: hexToBytes(address), hrp, chain }
}

/** Reads a hex text, without the checksum that may follow. Bare digits count from 20 bytes on. */
function hexOf(text: string): Uint8Array | undefined {
  const isPrefixed = /^0x/i.test(text)
  const raw = fromHex(isPrefixed ? text.slice(2) : text)
  if (!raw || (!isPrefixed && raw.length < ADDRESS_SIZE)) return undefined
  const body = raw.subarray(0, -4)
  const isChecked = !(raw.length in bySize) && raw.length > 4 && equalBytes(checksumOf(body), raw.subarray(-4))
  return isChecked ? body : raw
}

export interface KeyMaker {
  readonly secp256k1: Secp256k1
  /** Returns the address of a compressed key on EVM chains; `undefined` if the bytes are no key. */
  evmAddressOf(publicKey: Uint8Array): string | undefined
}

/** Returns every text form of a value, for the network with this HRP. */
export function formsOf({ kind, bytes, chain }: RecognisedText, hrp: string, keys: KeyMaker): Forms {
  const cb58 = toCb58(bytes)
  const hex = `0x${toHex(bytes)}`
  if (kind === "PrivateKey")
    return { privateKey: privateKeyText(bytes), hex, cb58, ...keyForms(keys.secp256k1.publicKey(bytes), hrp, keys) }
  if (kind === "PublicKey") return { hex, cb58, ...keyForms(bytes, hrp, keys) }
  if (kind === "Address")
    return { ...addressForms(toHex(bytes) as Address, hrp, chain), hex, cb58, nodeID: nodeIDText(toHex(bytes) as NodeID) }
  if (bytes.length === ADDRESS_SIZE) {
    return { nodeID: nodeIDText(toHex(bytes) as NodeID), hex, cb58, ...addressForms(toHex(bytes) as Address, hrp) }
  }
  if (bytes.length !== ID_SIZE) return { hex, cb58 }
  const name = nameIn(bytes)
  return { cb58, hex, ...(name === undefined ? {} : { name }) }
}

function keyForms(publicKey: Uint8Array, hrp: string, { evmAddressOf }: KeyMaker): Forms {
  const address = addressOfKey(publicKey)
  const evmAddress = evmAddressOf(publicKey)
  return {
    publicKey: `0x${toHex(publicKey)}`,
    ...addressForms(address, hrp),
    ...(evmAddress === undefined ? {} : { evmAddress }),
    ...everyNetwork(address),
  }
}

/** Returns the same address on each public network and on private ones. */
function everyNetwork(address: Address): Forms {
  const names = { mainnet: MAINNET_ID, fuji: FUJI_ID, local: LOCAL_ID }
  return Object.fromEntries(Object.entries(names).map(([name, id]) => [name, addressText(address, hrpOf(id))]))
}

function addressForms(address: Address, hrp: string, chain = "P"): Forms {
  return { address: addressText(address, hrp, chain), bech32: bech32Text(address, hrp), shortID: shortIDText(address) }
}

/** Returns the ASCII name in the ID of a VM or feature extension. All zeroes are the primary network and its P-Chain. */
function nameIn(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes).replace(/\0+$/, "")
  if (text === "") return "primary network, P-Chain"
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined
}
