import { Invalid } from "../../../src/core/lib/invalid.js"
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
  /** The fields that differ. Its first output is fitted again, so that it burns its fee and nothing else is wrong. */
  readonly tx?: (tx: TxOfKind<K>) => Partial<TxOfKind<K>>
  /** The same, fee and all as they are. */
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

/** The kinds that name who validates, from when to when. */
export type StakerKind = Extract<UnsignedTx, { validator: unknown }>["kind"]
type Named = {
  readonly nodeID: NodeID
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly subnetID?: ID
}

/** A staker of whom something else is said: node, times, weight. */
export function staked<K extends StakerKind>(
  name: string,
  code: string,
  change: (validator: Named) => Partial<Named>,
  more: Omit<Variant<K>, "name" | "code" | "tx"> = {},
): Variant<K> {
  const tx = ({ validator }: { validator: Named }) => ({ validator: { ...validator, ...change(validator) } })
  return { name, code, tx: tx as unknown as NonNullable<Variant<K>["tx"]>, ...more }
}

/** The code with which the small chain refuses a variant, or `undefined`. */
export function codeOf<K extends TxKind>(kind: K, variant: Partial<Variant<K>>): string | undefined {
  const fixture = validFor(kind)
  const last = variant.last ?? fixture.last
  const changed = { ...fixture.tx, ...variant.tx?.(fixture.tx) }
  const fitted = variant.tx ? fittedTx(changed, last) : changed
  const tx = signTx({ ...fitted, ...variant.exactly?.(fixture.tx) }, (variant.signers ?? same)(fixture.signers))
  const state = smallState()
  fixture.given?.(state)
  variant.given?.(state)
  try {
    tryTx(tx, smallRules(last), { state, now: variant.now ?? NOW })
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.code
    throw error
  }
}

/** A change that cannot be fitted is refused for that. */
function fittedTx<T extends UnsignedTx>(tx: T, last: UpgradeName): T {
  try {
    return balanced(tx, last)
  } catch (error) {
    if (error instanceof Invalid) return tx
    throw error
  }
}

const same = <T>(value: T): T => value
