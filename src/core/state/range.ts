import type { Key } from "./key.js"

/** A range of rows, by parts of their key. Parts of a compound key are named from the first one on: `{ subnetID }`, `{ subnetID, height }`. */
export interface Range<K> {
  /** Only rows whose key begins with these parts. */
  readonly under?: Partial<K>
  /** The key at which the range begins, without the parts in `under`. */
  readonly from?: Partial<K>
  /** The key after which the range begins: the range has no row whose key begins with these parts. Parts in `under` are omitted. */
  readonly after?: Partial<K>
}

/** A range as key text: keys that begin with `prefix`, from `from` on. */
export interface TextRange {
  readonly prefix: string
  /** The first key text; not before `prefix`. */
  readonly from: string
}

export function textRange<K>(key: Key<K>, { under, from, after }: Range<K>): TextRange {
  const prefix = under === undefined ? "" : key.prefixText(under)
  if (after !== undefined) return { prefix, from: keyAfter(key, joined(under, after)) }
  return { prefix, from: from === undefined ? prefix : key.prefixText(joined(under, from)) }
}

function joined<K>(under: Partial<K> | undefined, rest: Partial<K>): Partial<K> {
  return under === undefined ? rest : { ...under, ...rest }
}

/** Returns a text that sorts after every key that begins with these parts, and before all later keys. */
function keyAfter<K>(key: Key<K>, parts: Partial<K>): string {
  return `${key.prefixText(parts).padEnd(key.width, "f")}00`
}
