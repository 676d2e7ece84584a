import { Invalid, valueOrInvalid } from "../../../src/core/lib/invalid.js"
import type { UpgradeName } from "../../../src/core/networks/upgrades.js"
import type { Diff } from "../../../src/core/state/diff.js"
import type { TxKind, UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { ID, NodeID } from "../../../src/core/types/id.js"
import { type Key, signTx } from "../../fixtures/keys.js"
import { NOW, smallRules, smallState, tryTx } from "../../fixtures/smallChain.js"
import { balanced, validFor } from "../../fixtures/validFor.js"

type TxOfKind<K extends TxKind> = Extract<UnsignedTx, { kind: K }>

/** A transaction that differs in one change from one that the small chain accepts: its name, its refusal, and the change. */
export interface Variant<K extends TxKind> {
  readonly name: string
  readonly code: string
  /** The fields that differ. The first output is changed so that the transaction burns exactly its fee, and nothing else is wrong. */
  readonly tx?: (tx: TxOfKind<K>) => Partial<TxOfKind<K>>
  /** The fields that differ, without a new output: the transaction may burn more or less than its fee. */
  readonly exactly?: (tx: TxOfKind<K>) => Partial<TxOfKind<K>>
  readonly signers?: (signers: readonly (readonly Key[])[]) => readonly (readonly Key[])[]
  /** Another last upgrade than the fixture's. */
  readonly last?: UpgradeName
  /** Another time of the clock, Unix seconds. */
  readonly now?: bigint
  /** Further rows of the state. */
  readonly given?: (state: Diff) => void
}

export type Variants<K extends TxKind> = readonly Variant<K>[]

/** The kinds with the field `validator`: node, start, end and weight. */
export type StakerKind = Extract<UnsignedTx, { validator: unknown }>["kind"]
type StakerFields = {
  readonly nodeID: NodeID
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly subnetID?: ID
}

/** A variant of which the field `validator` differs. */
export function staked<K extends StakerKind>(
  name: string,
  code: string,
  change: (validator: StakerFields) => Partial<StakerFields>,
  more: Omit<Variant<K>, "name" | "code" | "tx"> = {},
): Variant<K> {
  const tx = (tx: TxOfKind<K>) => {
    const { validator } = tx as { readonly validator: StakerFields }
    return { validator: { ...validator, ...change(validator) } } as Partial<TxOfKind<K>>
  }
  return { name, code, tx, ...more }
}

/** The refusal of a variant by the small chain, or `undefined`. */
export function refusalOf<K extends TxKind>(kind: K, variant: Partial<Variant<K>>): Invalid | undefined {
  const fixture = validFor(kind)
  const last = variant.last ?? fixture.last
  const changed = { ...fixture.tx, ...variant.tx?.(fixture.tx) }
  const fitted = variant.tx ? fittedTx(changed, last) : changed
  const tx = signTx({ ...fitted, ...variant.exactly?.(fixture.tx) }, (variant.signers ?? same)(fixture.signers))
  const state = smallState()
  fixture.given?.(state)
  variant.given?.(state)
  const result = valueOrInvalid(() => tryTx(tx, smallRules(last), { state, now: variant.now ?? NOW }))
  return result instanceof Invalid ? result : undefined
}

/** Returns the transaction unchanged if its outputs cannot be balanced; the chain refuses it for that reason. */
function fittedTx<T extends UnsignedTx>(tx: T, last: UpgradeName): T {
  try {
    return balanced(tx, last)
  } catch (error) {
    if (error instanceof Invalid) return tx
    throw error
  }
}

const same = <T>(value: T): T => value
