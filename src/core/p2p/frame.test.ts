import { expect, test } from "vitest"
import { concatBytes, toHex } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { encodeFrame, FrameReader, MAX_MESSAGE_SIZE } from "./frame.js"

const messages = [Uint8Array.of(1, 2, 3), new Uint8Array(0), new Uint8Array(300).fill(7), Uint8Array.of(9)]
const stream = concatBytes(...messages.map(encodeFrame))

test.each([1, 2, 3, 5, 64, 1000])("a stream in pieces of %i bytes gives its messages", (size) => {
  const reader = new FrameReader()
  const got: Uint8Array[] = []
  for (let at = 0; at < stream.length; at += size) got.push(...reader.push(stream.subarray(at, at + size)))
  expect(got.map(toHex)).toEqual(messages.map(toHex))
  expect(reader.pending).toBe(0)
})

test("a message of 2 MiB is read, and a longer one is refused by its header alone", () => {
  const largest = encodeFrame(new Uint8Array(MAX_MESSAGE_SIZE))
  expect(new FrameReader().push(largest).map(({ length }) => length)).toEqual([MAX_MESSAGE_SIZE])
  const header = Uint8Array.of(0, 0x20, 0, 1)
  expect(() => new FrameReader().push(header)).toThrow(Invalid)
  expect(() => new FrameReader().push(header)).toThrow("longer than 2 MiB")
})

test("a message that arrives byte by byte takes at most twice its bytes of memory", () => {
  const reader = new FrameReader()
  const frame = encodeFrame(new Uint8Array(20_000).fill(5))
  let most = 0
  for (const byte of frame.subarray(0, -1)) {
    if (reader.push(Uint8Array.of(byte)).length > 0) throw new Error(`a message after ${reader.pending} bytes`)
    most = Math.max(most, reader.allocated / reader.pending)
  }
  expect(most).toBeLessThanOrEqual(2)
  expect(reader.push(frame.subarray(-1)).map(toHex)).toEqual([toHex(frame.subarray(4))])
  expect([reader.pending, reader.allocated]).toEqual([0, 0])
})
