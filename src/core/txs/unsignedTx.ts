import { versioned } from "../codec/decode.js"
import { type CodecsOf, codecsOf, type OneOf, oneOf } from "../codec/oneOf.js"
import type { JsonOf, TypeOf } from "../codec/schema.js"
import { goInterface } from "../types/registered.js"
import type { CheckContext } from "./base.js"
import { txTypes } from "./index.js"

type Codecs = CodecsOf<typeof txTypes>

const kinds: OneOf<Codecs> = oneOf(goInterface("txs.UnsignedTx"), ...codecsOf(txTypes))

/** Returns the codec of a kind of transaction, for one that stands in place of a credential or an authorisation. */
const kindOf = (typeID: number): Codecs[number] | undefined => kinds.variants.find((each) => each.typeID === typeID)

/** A transaction without its credentials: any of the kinds. */
export const unsignedTx: OneOf<Codecs> = {
  ...kinds,
  read(r) {
    r.otherType = kindOf
    return kinds.read(r)
  },
}
/** A transaction without its credentials. `kind` identifies it; docs/reference/transactions.md lists the fields of every kind. */
export type UnsignedTx = TypeOf<typeof unsignedTx>
/** The name of a kind of transaction, such as `AddPermissionlessValidatorTx`. */
export type TxKind = UnsignedTx["kind"]

/** The JSON of a kind of transaction without its credentials. Amounts, times and heights are bigints, bytes are hex text, IDs and addresses are text. */
export type UnsignedTxJson<K extends TxKind = TxKind> = JsonOf<Extract<Codecs[number], { readonly kind: K }>>

/** The bytes that credentials sign. */
export const topLevelUnsignedTx = versioned(unsignedTx)

const byKind: ReadonlyMap<string, (typeof txTypes)[number]> = new Map(txTypes.map((type) => [type.kind, type]))

export function txTypeOf(kind: TxKind): (typeof txTypes)[number] {
  return byKind.get(kind)!
}

/** Throws `Invalid` if the transaction is malformed, whatever the state. */
export function checkTx(tx: UnsignedTx, context: CheckContext): void {
  const type = txTypeOf(tx.kind) as { check(tx: UnsignedTx, context: CheckContext): void }
  type.check(tx, context)
}
