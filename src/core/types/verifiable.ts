import { type OneOf, oneOf } from "../codec/oneOf.js"
import type { Reader } from "../codec/reader.js"
import type { Codec, JsonOf, JsonSchema, TypeOf } from "../codec/schema.js"
import { toHex } from "../lib/bytes.js"
import { secpCredential } from "./credential.js"
import type { ID } from "./id.js"
import { authInput, lockIn, transferInput } from "./input.js"
import { lockOut, transferOutput } from "./output.js"
import { outputOwners } from "./owners.js"
import { goInterface, names } from "./registered.js"
import { emptySigner, possessionSigner } from "./signer.js"

/**
 * Types that can be read where AvalancheGo declares the interface `verify.Verifiable`. Each place needs one of these kinds; execution
 * refuses the others, at the same step as AvalancheGo.
 */
const kinds = [
  transferInput,
  transferOutput,
  secpCredential,
  authInput,
  outputOwners,
  lockIn,
  lockOut,
  emptySigner,
  possessionSigner,
] as const

type VerifiableKinds = OneOf<typeof kinds>

/** A transaction in such a place. It fits AvalancheGo's interface, because the validator in it has a check of its own. */
export interface MisplacedTx {
  readonly kind: "MisplacedTx"
  readonly typeName: string
  readonly validator: { readonly weight: bigint; readonly subnetID?: ID }
  /** The bytes of the transaction with its type ID. */
  readonly bytes: Uint8Array
}

/** The type IDs of the transactions that have a validator. */
const withValidator: ReadonlySet<number> = new Set([12, 13, 14, 25, 26])

/** The type has a name, so that declarations that contain it need not repeat it. */
export interface VerifiablePlace extends Codec<TypeOf<VerifiableKinds> | MisplacedTx, JsonOf<VerifiableKinds>> {}
export type Verifiable = TypeOf<VerifiablePlace>

/** The codec of an authorisation in a transaction, which must be an `Input`. */
export const authPlace = placeOf(authInput.jsonSchema)

/** The codec of a credential in a transaction, which must be a `Credential`. */
export const credentialPlace = placeOf(secpCredential.jsonSchema)

function placeOf(jsonSchema: JsonSchema): VerifiablePlace {
  const usual: VerifiableKinds = oneOf(goInterface("verify.Verifiable", { nestsAlso: [...withValidator] }), ...kinds)
  return {
    ...usual,
    jsonSchema,
    read: (r) => misplacedTx(r) ?? usual.read(r),
    write: (w, value) => (value.kind === "MisplacedTx" ? w.bytes(value.bytes) : usual.write(w, value)),
    writeJson: (sink, value, as) =>
      value.kind === "MisplacedTx" ? sink.plain(`0x${toHex(value.bytes)}`) : usual.writeJson(sink, value, as),
  }
}

/** Reads a transaction with a validator; returns `undefined`, and reads nothing, if there is none. */
function misplacedTx(r: Reader): MisplacedTx | undefined {
  const start = r.offset
  const typeID = r.left < 4 ? undefined : r.u32()
  const isOpen = typeID === undefined || !withValidator.has(typeID) || r.open.includes(typeID)
  const codec = isOpen ? undefined : r.otherType?.(typeID)
  if (typeID === undefined || !codec) {
    r.offset = start
    return undefined
  }
  r.open.push(typeID)
  const { validator } = codec.read(r) as Pick<MisplacedTx, "validator">
  r.open.pop()
  return { kind: "MisplacedTx", typeName: names[typeID] as string, validator, bytes: r.slice(start, r.offset) }
}
