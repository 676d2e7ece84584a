import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { concatBytes, hexToBytes } from "../core/lib/bytes.js"

/** A staking certificate in DER, and the key that signs for it. */
export interface StakingCertificate {
  readonly certificate: Uint8Array
  readonly key: KeyObject
}

const SEQUENCE = 0x30
const BIT_STRING = 0x03
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const VERSION_3 = hexToBytes("a003020102")
const SERIAL_0 = hexToBytes("020100")
const ECDSA_WITH_SHA256 = hexToBytes("300a06082a8648ce3d040302")
const NO_NAME = hexToBytes("3000")
const EXTENSIONS = concatBytes(
  // Key usage, critical: digital signature.
  hexToBytes("300e0603551d0f0101ff040403020780"),
  // Basic constraints, critical: no authority.
  hexToBytes("300c0603551d130101ff04023000"),
)

/** 1999-12-31T00:00:00Z, from which on every generated certificate is valid. */
const NOT_BEFORE = "991231000000Z"
const CENTURY_YEARS = 100

/**
 * Makes a new ECDSA P-256 certificate, signed by itself, as AvalancheGo makes them: serial 0, no names, valid for a century from `now`
 * (Unix seconds).
 */
export function newStakingCertificate(now: bigint): StakingCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const notAfter = new Date(Number(now) * 1000)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + CENTURY_YEARS)
  const validity = der(SEQUENCE, der(UTC_TIME, ascii(NOT_BEFORE)), der(GENERALIZED_TIME, ascii(generalizedTime(notAfter))))
  const spki = publicKey.export({ type: "spki", format: "der" })
  const extensions = der(0xa3, der(SEQUENCE, EXTENSIONS))
  const body = der(SEQUENCE, VERSION_3, SERIAL_0, ECDSA_WITH_SHA256, NO_NAME, validity, NO_NAME, spki, extensions)
  const signature = der(BIT_STRING, hexToBytes("00"), sign("sha256", body, privateKey))
  return { certificate: der(SEQUENCE, body, ECDSA_WITH_SHA256, signature), key: privateKey }
}

/** Encodes a tag, the shortest length, and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concatBytes(Uint8Array.of(tag, ...size), content)
}

function ascii(text: string): Uint8Array {
  return Buffer.from(text, "latin1")
}

function generalizedTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`
}
