/**
 * A key as text: hex of fixed width, so that text, memory and disk all sort alike. IDs are such text already and
 * cost nothing.
 */
export interface Key<K> {
  /** How many hex digits every key has. */
  readonly width: number
  toText(key: K): string
  fromText(text: string): K
}

/** IDs, node IDs and addresses: they are their own text. */
export function hexKey<T extends string>(bytes: number): Key<T> {
  return { width: bytes * 2, toText: (key) => key, fromText: (text) => text as T }
}

/** An unsigned number of this many bytes, most significant first. */
export const u64Key: Key<bigint> = {
  width: 16,
  toText: (key) => key.toString(16).padStart(16, "0"),
  fromText: (text) => BigInt(`0x${text}`),
}

const MAX = 0xffff_ffff_ffff_ffffn

/** A 64-bit number that sorts from high to low: the newest height first. */
export const descendingKey: Key<bigint> = {
  width: 16,
  toText: (key) => u64Key.toText(MAX - key),
  fromText: (text) => MAX - u64Key.fromText(text),
}

export function uintKey(bytes: number): Key<number> {
  return {
    width: bytes * 2,
    toText: (key) => key.toString(16).padStart(bytes * 2, "0"),
    fromText: (text) => Number.parseInt(text, 16),
  }
}

/** The only key of a table with one row. */
export const onlyKey: Key<null> = { width: 2, toText: () => "00", fromText: () => null }

/** Several keys as one, the first part sorting first. */
export function compoundKey<P extends Readonly<Record<string, unknown>>>(
  parts: {
    readonly [N in keyof P]: Key<P[N]>
  },
): Key<{ readonly [N in keyof P]: P[N] }> {
  const entries = Object.entries(parts) as [keyof P & string, Key<P[keyof P]>][]
  return {
    width: entries.reduce((sum, [, part]) => sum + part.width, 0),
    toText(key) {
      let text = ""
      for (const [name, part] of entries) text += part.toText(key[name])
      return text
    },
    fromText: compileFromText<P>(entries),
  }
}

/** Makes an object literal with one call per part, as `codec/struct.ts` does and for its reasons: every row of a walk has a key. */
function compileFromText<P>(entries: readonly [string, Key<unknown>][]): (text: string) => P {
  let at = 0
  const members = entries.map(([name, { width }], i) => {
    at += width
    return `${JSON.stringify(name)}: p${i}.fromText(text.slice(${at - width}, ${at}))`
  })
  const body = `return function fromText(text) { return { ${members.join(", ")} } }`
  return new Function(...entries.map((_, i) => `p${i}`), body)(...entries.map(([, part]) => part))
}
