import { decode, encode, versioned } from "../../../src/core/codec/decode.js"
import type { Codec } from "../../../src/core/codec/schema.js"
import { print } from "../../../src/core/codec/textSink.js"
import { toJson } from "../../../src/core/codec/valueSink.js"
import { printJson } from "../../../src/core/lib/json.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import { credential } from "../../../src/core/types/credential.js"
import { auth, input, transferableInput } from "../../../src/core/types/input.js"
import { output, transferableOutput } from "../../../src/core/types/output.js"
import { owner } from "../../../src/core/types/owners.js"
import { signer } from "../../../src/core/types/signer.js"
import type { Check, Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"

/** components.json: the parts of transactions, by themselves. */
export const components: Group = {
  TransferableOutput: part(transferableOutput),
  TransferableInput: part(transferableInput),
  TransferOutput: kindOf(output),
  LockOut: kindOf(output),
  OutputOwners: kindOf(owner),
  TransferInput: kindOf(input),
  LockIn: kindOf(input),
  Input: kindOf(auth),
  Credential: kindOf(credential),
  ProofOfPossession: kindOf(signer),
  EmptySigner: kindOf(signer),
}

/** A part without type ID. */
function part<T>(bare: Codec<T>): Check {
  return (entry, verdict) => {
    verdict.equal("type", entry.kind, entry.type)
    checkFaces(bare, entry, verdict)
  }
}

/** A part whose bytes start with its type ID, which determines its kind. */
function kindOf<T extends { readonly kind: string }>(
  codec: Codec<T> & { readonly variants: readonly { readonly kind: string; readonly typeID: number }[] },
): Check {
  return (entry, verdict) => {
    const { kind } = checkFaces(codec, entry, verdict)
    verdict.equal("type", kind, entry.type)
    verdict.equal("type_id", codec.variants.find((each) => each.kind === kind)?.typeID, entry.type_id)
  }
}

/** Checks that the bytes and the JSON of a value can be read and written without change. Addresses have no network. */
function checkFaces<T>(bare: Codec<T>, entry: Entry, verdict: Verdict): T {
  const hasVersion = String(entry.note ?? "").includes("with the 2-byte codec version in front")
  const codec = hasVersion ? versioned(bare) : bare
  const value = decode(codec, bytesOf(entry.bytes))
  verdict.equal("bytes", encode(codec, value), entry.bytes)
  const text = entry.json_text_cb58_addresses
  if (text !== undefined) {
    verdict.equal("json_text_cb58_addresses", printJson(toJson(codec, value, {})), text)
    verdict.equal("printed", print(codec, value, {}), text)
    verdict.equal("bytes of the JSON", encode(codec, codec.fromJson(parseJson(text), {})), entry.bytes)
  }
  return value
}
