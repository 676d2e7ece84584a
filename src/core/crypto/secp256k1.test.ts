import { expect, test } from "vitest"
import { readRecording } from "../../../test/recordings/recordings.js"
import { secp256k1Backends } from "../../platform/backends.js"
import { loadSecp256k1Noble } from "../../platform/secp256k1Noble.js"
import { hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import { sha256 } from "./hash.js"
import { secp256k1Contract } from "./secp256k1.contract.js"
import { verdictOf } from "./verdict.contract.js"

const backends = await Promise.all(
  Object.entries(secp256k1Backends).map(async ([name, load]) => {
    const backend = await load()
    return [name, () => backend] as const
  }),
)

for (const [name, open] of backends) secp256k1Contract(name, open, loadSecp256k1Noble)

interface SignVector {
  readonly kind: string
  readonly private_key_hex: string
  readonly message_utf8: string
  readonly signature?: string
  readonly r_s?: string
}

test("every back end signs as the published vectors say", () => {
  const { vectors } = readRecording<{ vectors: SignVector[] }>("vectors/signatures.json")
  const cases = vectors.filter(({ kind }) => kind === "secp256k1 sign")
  expect(cases).toHaveLength(7)
  for (const [, open] of backends) {
    for (const { private_key_hex, message_utf8, signature, r_s } of cases) {
      const signed = toHex(open().sign(sha256(utf8(message_utf8)), hexToBytes(private_key_hex)))
      expect(signed.slice(0, (signature ?? r_s)!.length)).toBe(signature ?? r_s)
    }
  }
})

interface RecordedRefusal {
  readonly name: string
  readonly kind: string
  readonly tx: string
  readonly error: string
}

test("every back end refuses recorded signatures in AvalancheGo's words", () => {
  const { refusals } = readRecording<{ refusals: RecordedRefusal[] }>("golden/refusals-v1.14.2.json")
  const names = ["signature of zeros", "signature with the high s", "recovery byte 4", "recovery byte 27 and up"]
  const cases = refusals.filter(({ name, kind }) => kind === "BaseTx" && names.includes(name))
  expect(cases).toHaveLength(4)
  for (const [, open] of backends) {
    for (const { tx, error } of cases) {
      // Unsigned bytes, then one credential (12 bytes of counts and type, one signature), then the checksum of the text form.
      const bytes = hexToBytes(tx.slice(2)).slice(0, -4)
      const hash = sha256(bytes.subarray(0, -77))
      expect(verdictOf(() => open().recover(hash, bytes.subarray(-65)))).toMatch(new RegExp(`: ${error}$`))
    }
  }
})
