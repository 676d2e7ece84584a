import { fromBase64, fromHex, latin1, latin1Bytes, textOfUtf8, toBase64, toHex, utf8 } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { codecError } from "./errors.js"
import { countOf } from "./list.js"
import type { Codec, Schema } from "./schema.js"

function badJson(path: string | undefined, expected: string, got: unknown) {
  return codecError("codec.bad_json", {
    path: path ?? "",
    expected,
    got: typeof got === "object" && got !== null ? typeof got : got,
  })
}

function smallInteger(bits: 8 | 16 | 32, read: Codec<number>["read"], write: Codec<number>["write"]): Codec<number, number> {
  const maximum = 2 ** bits - 1
  return {
    minSize: bits / 8,
    jsonSchema: { type: "integer", minimum: 0, maximum },
    read,
    write,
    writeJson: (sink, value) => sink.json(value),
    fromJson(json, _as, path) {
      if (typeof json === "number" && Number.isInteger(json) && json >= 0 && json <= maximum) return json
      throw badJson(path, `an integer from 0 to ${maximum}`, json)
    },
  }
}

export const u8 = smallInteger(
  8,
  (r) => r.u8(),
  (w, value) => w.u8(value),
)

export const u32 = smallInteger(
  32,
  (r) => r.u32(),
  (w, value) => w.u32(value),
)

function wideInteger(json: unknown, minimum: bigint, maximum: bigint, path: string | undefined): bigint {
  if (typeof json === "bigint" || (typeof json === "number" && Number.isSafeInteger(json))) {
    const value = BigInt(json)
    if (value >= minimum && value <= maximum) return value
  }
  throw badJson(path, `an integer from ${minimum} to ${maximum}`, json)
}

/** An unsigned 64-bit integer. In JSON it is a bare number, also above 2^53, as transactions print amounts. */
export const u64: Codec<bigint, bigint> = {
  minSize: 8,
  jsonSchema: { type: "integer", minimum: 0, maximum: MAX64 },
  read: (r) => r.u64(),
  write: (w, value) => w.u64(value),
  writeJson: (sink, value) => sink.json(value),
  fromJson: (json, _as, path) => wideInteger(json, 0n, MAX64, path),
}

/** A signed 64-bit integer, in two's complement. */
export const i64: Codec<bigint, bigint> = {
  minSize: 8,
  jsonSchema: { type: "integer", minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
  read: (r) => r.i64(),
  write: (w, value) => w.i64(value),
  writeJson: (sink, value) => sink.json(value),
  fromJson: (json, _as, path) => wideInteger(json, -(2n ** 63n), 2n ** 63n - 1n, path),
}

/** An unsigned 64-bit integer that is quoted in JSON, as most API answers print amounts. Bare numbers are read too. */
export const u64Text: Schema<bigint, `${bigint}`> = {
  jsonSchema: { type: "string", pattern: "^[0-9]+$" },
  writeJson: (sink, value) => sink.plain(`${value}`),
  fromJson(json, _as, path) {
    if (typeof json === "string" && /^\d{1,20}$/.test(json)) return wideInteger(BigInt(json), 0n, MAX64, path)
    return wideInteger(json, 0n, MAX64, path)
  },
}

/** One byte, 0 or 1. Other values are refused. */
export const bool: Codec<boolean, boolean> = {
  minSize: 1,
  jsonSchema: { type: "boolean" },
  read(r) {
    const value = r.u8()
    if (value > 1) throw r.fail("codec.bad_bool", { offset: r.offset - 1, value })
    return value === 1
  },
  write: (w, value) => w.u8(value ? 1 : 0),
  writeJson: (sink, value) => sink.json(value),
  fromJson(json, _as, path) {
    if (typeof json !== "boolean") throw badJson(path, "true or false", json)
    return json
  },
}

const hexSchema = { type: "string", pattern: "^0x([0-9a-f]{2})*$" } as const

function bytesFromJson(json: unknown, path: string | undefined): Uint8Array {
  const bytes = typeof json === "string" && json.startsWith("0x") ? fromHex(json.slice(2)) : undefined
  if (!bytes) throw badJson(path, "bytes as 0x hex", json)
  return bytes
}

/** Exactly `size` raw bytes; in JSON `0x` hex without checksum. */
export function fixedBytes(size: number): Codec<Uint8Array, string> {
  return {
    minSize: size,
    jsonSchema: { type: "string", pattern: `^0x[0-9a-f]{${size * 2}}$` },
    read: (r) => r.bytes(size),
    write(w, value) {
      if (value.length !== size) throw new Error(`expected ${size} bytes, got ${value.length}`)
      w.bytes(value)
    },
    writeJson: (sink, value) => sink.plain(`0x${toHex(value)}`),
    fromJson(json, _as, path) {
      const bytes = bytesFromJson(json, path)
      if (bytes.length !== size) throw badJson(path, `${size} bytes as 0x hex`, json)
      return bytes
    },
  }
}

/** A byte string with a 4-byte length; in JSON `0x` hex without checksum. */
export const bytes: Codec<Uint8Array, string> = {
  minSize: 4,
  jsonSchema: hexSchema,
  read(r) {
    const length = countOf(r)
    if (length > r.left) throw r.fail("codec.bytes_too_long", { offset: r.offset - 4, length, left: r.left })
    return r.bytes(length)
  },
  write(w, value) {
    w.u32(value.length)
    w.bytes(value)
  },
  writeJson: (sink, value) => sink.plain(`0x${toHex(value)}`),
  fromJson: (json, _as, path) => bytesFromJson(json, path),
}

/** A byte string with a 4-byte length; in JSON standard base64. */
export const base64Bytes: Codec<Uint8Array, string> = {
  ...bytes,
  jsonSchema: { type: "string", contentEncoding: "base64" },
  writeJson: (sink, value) => sink.plain(toBase64(value)),
  fromJson(json, _as, path) {
    if (json === null) return new Uint8Array(0)
    if (typeof json === "string") {
      const decoded = fromBase64(json)
      if (decoded) return decoded
    }
    throw badJson(path, "bytes as base64", json)
  },
}

/** Exactly `size` raw bytes; in JSON an array of that many numbers. */
export function byteArray(size: number): Codec<Uint8Array, readonly number[]> {
  const { read, write } = fixedBytes(size)
  return {
    minSize: size,
    read,
    write,
    jsonSchema: { type: "array", items: u8.jsonSchema, minItems: size, maxItems: size },
    writeJson: (sink, value, as) => sink.list(u8, value, as),
    fromJson(json, as, path) {
      if (!Array.isArray(json) || json.length !== size) throw badJson(path, `an array of ${size} numbers`, json)
      return Uint8Array.from(json.map((item, i) => u8.fromJson(item, as, `${path ?? ""}.${i}`)))
    },
  }
}

/**
 * Text with a 2-byte length. Its bytes need not be UTF-8, so each byte is one character of the string (Latin-1). In JSON it is printed as
 * UTF-8.
 */
export const str: Codec<string, string> = {
  minSize: 2,
  jsonSchema: { type: "string" },
  read(r) {
    if (r.left < 2) throw r.fail("codec.truncated", { wanted: 2, left: r.left, reading: "string" })
    const length = r.u16()
    if (length > r.left) {
      throw r.fail("codec.bytes_too_long", { offset: r.offset - 2, length, left: r.left, reading: "string" })
    }
    return r.latin1(length)
  },
  write(w, value) {
    if (value.length > 0xffff) throw new Error(`text of ${value.length} bytes does not fit in 65535`)
    w.u16(value.length)
    w.latin1(value)
  },
  writeJson: (sink, value) => sink.json(textOfUtf8(latin1Bytes(value))),
  fromJson(json, _as, path) {
    if (typeof json !== "string") throw badJson(path, "text", json)
    const raw = utf8(json)
    if (raw.length > 0xffff) throw badJson(path, "text of at most 65535 bytes", json)
    return latin1(raw)
  },
}
