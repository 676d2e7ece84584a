/** A value of RLP, the encoding of EVM chains: bytes, or a list of values. */
export type Rlp = Uint8Array | readonly Rlp[]

/** Encodes a value in RLP. */
export function encodeRlp(value: Rlp): Buffer {
  if (!(value instanceof Uint8Array)) {
    const body = Buffer.concat(value.map(encodeRlp))
    return Buffer.concat([lengthOf(body.length, 0xc0), body])
  }
  if (value.length === 1 && (value[0] as number) < 0x80) return Buffer.from(value)
  return Buffer.concat([lengthOf(value.length, 0x80), value])
}

/** Splits the bytes of an RLP list into the bytes of its items, without the bytes that say what they are. Throws `RangeError`. */
export function rlpItems(bytes: Uint8Array): readonly Uint8Array[] {
  const [isList, list, rest] = firstItem(bytes)
  if (!isList || rest.length > 0) throw new RangeError("the bytes are not one list of RLP")
  const items: Uint8Array[] = []
  for (let left = list; left.length > 0; ) {
    const [, item, after] = firstItem(left)
    items.push(item)
    left = after
  }
  return items
}

/** Returns the first item, and the bytes after it. */
function firstItem(bytes: Uint8Array): readonly [isList: boolean, item: Uint8Array, rest: Uint8Array] {
  const first = bytes[0]
  if (first === undefined) throw new RangeError("an item of RLP is missing")
  if (first < 0x80) return [false, bytes.subarray(0, 1), bytes.subarray(1)]
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const sizeBytes = Math.max(0, short - 55)
  const size = sizeBytes === 0 ? short : Number(BigInt(`0x0${Buffer.from(bytes.subarray(1, 1 + sizeBytes)).toString("hex")}`))
  const start = 1 + sizeBytes
  if (start + size > bytes.length) throw new RangeError(`an item of RLP has ${bytes.length - start} of ${size} bytes`)
  return [isList, bytes.subarray(start, start + size), bytes.subarray(start + size)]
}

function lengthOf(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.from([offset + length])
  const bytes = integerBytes(BigInt(length))
  return Buffer.concat([Buffer.from([offset + 55 + bytes.length]), bytes])
}

/** Returns the bytes of an integer without leading zeros. */
export function integerBytes(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0)
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
}
