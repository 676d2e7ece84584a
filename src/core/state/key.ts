import { hexToBytes, toHex } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"

/** The text of a key: hex of fixed width, so that text, memory and disk have the same order. IDs are such text already. */
export interface Key<K> {
  /** Number of hex digits of every key, and of the longest one if it ends with bytes of any length. */
  readonly width: number
  toText(key: K): string
  fromText(text: string): K
  /** Returns the text with which all keys with these parts begin. A key of one part is given whole. */
  prefixText(parts: Partial<K>): string
}

export function simpleKey<K>(width: number, toText: (key: K) => string, fromText: (text: string) => K): Key<K> {
  return { width, toText, fromText, prefixText: (key) => toText(key as K) }
}

/** A key of an ID, node ID or address, which is its own text. */
export function hexKey<T extends string>(bytes: number): Key<T> {
  return simpleKey<T>(
    bytes * 2,
    (key) => key,
    (text) => text as T,
  )
}

/** An unsigned 64-bit number. */
export const u64Key: Key<bigint> = simpleKey(
  16,
  (key) => key.toString(16).padStart(16, "0"),
  (text) => BigInt(`0x${text}`),
)

/** A 64-bit number that sorts from high to low: the newest height first. */
export const descendingKey: Key<bigint> = simpleKey(
  16,
  (key) => (MAX64 - key).toString(16).padStart(16, "0"),
  (text) => MAX64 - BigInt(`0x${text}`),
)

/** Bytes of any length up to a maximum, as hex. Only the last part of a key can be one. */
export function bytesKey(maxBytes: number): Key<Uint8Array> {
  return simpleKey(maxBytes * 2, toHex, hexToBytes)
}

/** An unsigned number of this many bytes. */
export function uintKey(bytes: number): Key<number> {
  return simpleKey(
    bytes * 2,
    (key) => key.toString(16).padStart(bytes * 2, "0"),
    (text) => Number.parseInt(text, 16),
  )
}

/** The only key of a table with one row. */
export const onlyKey: Key<null> = simpleKey(
  2,
  () => "00",
  () => null,
)

/** Makes a key of several parts, which sorts by the first part first. */
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
    fromText(text) {
      const key: Partial<Record<keyof P, unknown>> = {}
      let at = 0
      for (const [name, part] of entries) {
        key[name] = part.fromText(text.slice(at, at + part.width))
        at += part.width
      }
      return key as P
    },
    prefixText(parts) {
      let text = ""
      let named = Object.keys(parts).length
      for (const [name, part] of entries) {
        if (named-- === 0) break
        const value = parts[name]
        if (value === undefined) throw new Error(`the key part ${name} is missing, and later ones are named`)
        text += part.toText(value)
      }
      return text
    },
  }
}
