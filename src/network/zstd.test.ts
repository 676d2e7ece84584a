import { expect, test } from "vitest"
import { refusal } from "../../test/refusal.js"
import { sha256 } from "../core/crypto/hash.js"
import { concatBytes, hexToBytes, toHex } from "../core/lib/bytes.js"
import { MAX_MESSAGE_SIZE } from "../core/p2p/frame.js"
import { decodeMessage, encodeMessage, type OutgoingMessage } from "../core/p2p/message.js"
import { loadZstd } from "./zstd.js"

const zstd = await loadZstd()
const LIMIT = MAX_MESSAGE_SIZE

test("bytes are the same after compressing and decompressing", () => {
  for (const size of [0, 1, 255, 256, 70_000, LIMIT]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * i) >> 3)
    expect(Buffer.compare(zstd.decompress(zstd.compress(bytes), LIMIT), bytes)).toBe(0)
  }
})

test("a frame that states more than the limit is refused", () => {
  const bomb = zstd.compress(new Uint8Array(64 * 1024 * 1024))
  expect(refusal(() => zstd.decompress(bomb, LIMIT)).code).toBe("p2p.bad_compression")
})

test("a frame that states no size or too small a size is refused while decompressing beyond the limit", () => {
  // Magic, no content size, window of 2 MiB, then 20 blocks that each repeat one byte 128 KiB times.
  const block = (isLast: boolean) => {
    const header = ((128 * 1024) << 3) | (1 << 1) | (isLast ? 1 : 0)
    return Uint8Array.of(header & 0xff, (header >> 8) & 0xff, header >> 16, 0x55)
  }
  const blocks = (count: number) => Array.from({ length: count }, (_, i) => block(i === count - 1))
  const silent = concatBytes(hexToBytes("28b52ffd0058"), ...blocks(20))
  expect(refusal(() => zstd.decompress(silent, LIMIT)).code).toBe("p2p.bad_compression")
  expect(zstd.decompress(concatBytes(hexToBytes("28b52ffd0058"), ...blocks(16)), LIMIT).length).toBe(LIMIT)
  // A single segment that says it has 5 bytes.
  const lying = concatBytes(hexToBytes("28b52ffd2005"), ...blocks(16))
  expect(refusal(() => zstd.decompress(lying, LIMIT)).code).toBe("p2p.bad_compression")
})

test("sizes near 2^32 and 2^64 are refused before room is made for them", () => {
  for (const size of ["0000008000000000", "ffffffff00000000", "0500000001000000", "ffffffffffffffff", "feffffffffffffff"]) {
    const frame = hexToBytes(`28b52ffde0${size}010000`)
    expect(refusal(() => zstd.decompress(frame, LIMIT)).code).toBe("p2p.bad_compression")
  }
})

test("bytes that are no zstd frame are refused", () => {
  for (const hex of ["0011223344", "00112233445566", "502a4d180000000000"]) {
    expect(refusal(() => zstd.decompress(hexToBytes(hex), LIMIT)).code).toBe("p2p.bad_compression")
  }
})

test("of a frame whose end is missing the content is what there is, without a whole header nothing, as AvalancheGo's decoder reads a stream", () => {
  for (const hex of ["", "28", "28b52ffd", "28b52ffd20", "28b52ffd2000", "502a4d1800000000", "502a4d180500000001"]) {
    expect(zstd.decompress(hexToBytes(hex), LIMIT)).toEqual(new Uint8Array(0))
  }
  // A block of 8 bytes with one byte, and a frame without its checksum.
  for (const hex of ["28b52ffd005841000061", "28b52ffd240109000061"]) {
    expect(zstd.decompress(hexToBytes(hex), LIMIT)).toEqual(hexToBytes("61"))
  }
  const content = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 5)
  const packed = zstd.compress(content)
  const sizes = Array.from({ length: 40 }, (_, i) => {
    const part = zstd.decompress(packed.subarray(0, packed.length - i * 500), LIMIT)
    expect(Buffer.compare(part, content.subarray(0, part.length))).toBe(0)
    return part.length
  })
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
})

test("bytes behind a frame are refused, except where its content ends with a piece of 128 KiB", () => {
  const one = zstd.compress(Uint8Array.of(1))
  for (const behind of [one, Uint8Array.of(0), hexToBytes("502a4d1800000000")]) {
    expect(refusal(() => zstd.decompress(concatBytes(one, behind), LIMIT)).code).toBe("p2p.bad_compression")
  }
  const piece = new Uint8Array(128 * 1024).fill(7)
  const both = zstd.decompress(concatBytes(zstd.compress(piece), one), LIMIT)
  expect(Buffer.compare(both, concatBytes(piece, Uint8Array.of(1)))).toBe(0)
  const full = zstd.compress(new Uint8Array(LIMIT))
  expect(zstd.decompress(concatBytes(full, zstd.compress(new Uint8Array(0))), LIMIT).length).toBe(LIMIT)
  expect(refusal(() => zstd.decompress(concatBytes(full, one), LIMIT)).code).toBe("p2p.bad_compression")
})

test("a window above 128 MiB, a dictionary and the reserved bit are refused, although the content is small", () => {
  for (const hex of ["28b52ffd008909000061", "28b52ffd210109000061", "28b52ffd280109000061", "28b52ffda000000093010000"]) {
    expect(refusal(() => zstd.decompress(hexToBytes(hex), LIMIT)).code).toBe("p2p.bad_compression")
  }
  expect(zstd.decompress(hexToBytes("28b52ffd008809000061"), LIMIT)).toEqual(hexToBytes("61"))
})

test("the reserved bits of a compressed block are ignored, as zstd 1.5.2 does, which AvalancheGo has", () => {
  const short = zstd.decompress(hexToBytes("28b52ffd2029850000509202260a20001001180101010d2802"), LIMIT)
  expect(toHex(sha256(short))).toBe("b14131067d50800fd9bc850d4c8d8a32311cc2c8f96027b4ae2b9716e577e10c")
  const contents = [
    [4_083, Uint8Array.from({ length: 60_000 }, (_, i) => (i * i) >> 5)],
    [6_356, Uint8Array.from({ length: 100_000 }, (_, i) => ((i * 2654435761) >>> 20) & ((i >> 3) % 64))],
  ] as const
  for (const [at, content] of contents) {
    const packed = zstd.compress(content)
    expect((packed[at] as number) & 3).toBe(0)
    ;(packed[at] as number) |= 3
    expect(Buffer.compare(zstd.decompress(packed, LIMIT), content)).toBe(0)
  }
})

test("a kind that AvalancheGo compresses is compressed where it is large, and read again", () => {
  const containers = [new Uint8Array(4000).fill(3)]
  const ancestors: OutgoingMessage = { case: "ancestors", value: { chainId: new Uint8Array(32), requestId: 9, containers } }
  const bytes = encodeMessage(ancestors, zstd)
  expect([bytes[0], bytes.length < 200]).toEqual([0x12, true])
  expect(decodeMessage(bytes, zstd)).toMatchObject(ancestors)
  const chits: OutgoingMessage = { case: "chits", value: { chainId: new Uint8Array(32), preferredId: new Uint8Array(400) } }
  expect(toHex(encodeMessage(chits, zstd))).toBe(toHex(encodeMessage(chits)))
})

test("a compressed message in a compressed one is refused", () => {
  const wrap = (bytes: Uint8Array) => {
    const packed = zstd.compress(bytes)
    return concatBytes(Uint8Array.of(0x12, packed.length), packed)
  }
  const ping = encodeMessage({ case: "ping", value: { uptime: 3 } })
  expect(decodeMessage(wrap(ping), zstd)).toMatchObject({ case: "ping", value: { uptime: 3 } })
  expect(refusal(() => decodeMessage(wrap(wrap(ping)), zstd)).code).toBe("p2p.nested_compression")
})
