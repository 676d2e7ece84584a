import { variant } from "../codec/oneOf.js"
import type { TypeOf } from "../codec/schema.js"
import type { Fields, ValueOf } from "../codec/struct.js"
import type { CheckContext } from "./base.js"

/** One kind of transaction: what it is on the wire and what makes it malformed. */
export interface TxDefinition<K extends string, F extends Fields> {
  readonly kind: K
  readonly typeID: number
  readonly fields: F
  /** Throws `Invalid` where the transaction is malformed; sees nothing but the transaction and the network. */
  check(tx: ValueOf<NoInfer<F>> & { readonly kind: K }, context: CheckContext): void
}

/** Declares one kind of transaction. */
export function defineTx<const K extends string, F extends Fields>(definition: TxDefinition<K, F>) {
  return { ...definition, codec: variant(definition.kind, definition.typeID, definition.fields) }
}

export type TxOf<T> = T extends { codec: infer C } ? TypeOf<C> : never
