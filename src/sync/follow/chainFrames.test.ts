import { expect, test } from "vitest"
import { concatBytes } from "../../core/lib/bytes.js"
import { ALIVE_FRAME, type ChainFrame, ChainFrameReader, chainFrame } from "./chainFrames.js"

const frames: readonly ChainFrame[] = [
  { kind: "chain", header: new TextEncoder().encode("{}"), overrides: 1n },
  { kind: "genesis", bytes: new Uint8Array(300).fill(1) },
  { kind: "override", position: 7n, bytes: Uint8Array.of(1, 2) },
  { kind: "block", warpHeight: undefined, bytes: Uint8Array.of(3) },
  { kind: "block", warpHeight: 2n ** 63n, bytes: new Uint8Array(0) },
  { kind: "revert", height: 5n },
]
const stream = concatBytes(...frames.flatMap((frame) => [chainFrame(frame), ALIVE_FRAME]))

test("the frames of a stream are read as they were written, wherever it is cut", () => {
  for (const size of [1, 2, 3, 4, 5, 7, 64, stream.length]) {
    const reader = new ChainFrameReader()
    const read: ChainFrame[] = []
    for (let at = 0; at < stream.length; at += size) read.push(...reader.push(stream.subarray(at, at + size))!)
    expect([size, read]).toEqual([size, frames])
  }
})

test.each([
  ["a length that no frame has", Uint8Array.of(0xff, 0xff, 0xff, 0xff)],
  ["an unknown kind", Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 99)],
  ["a frame with a rest", concatBytes(Uint8Array.of(0, 0, 0, 13), chainFrame(frames[5]!).slice(4), Uint8Array.of(0))],
  ["a frame that is too short", Uint8Array.of(0, 0, 0, 5, 0, 0, 0, 5, 1)],
])("%s is no stream of blocks", (_what, bytes) => {
  expect(new ChainFrameReader().push(bytes)).toBeUndefined()
})
