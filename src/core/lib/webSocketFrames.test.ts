import { expect, test } from "vitest"
import { concatBytes, utf8 } from "./bytes.js"
import { CLOSE, FrameFinder, TEXT, textFrame, unmasked } from "./webSocketFrames.js"

/** The example of RFC 6455, section 5.7: a masked "Hello" in one frame. */
const HELLO = Uint8Array.of(0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58)

const parsed = (...pieces: readonly Uint8Array[]) => {
  const finder = new FrameFinder()
  return pieces.flatMap((piece) => finder.parts(piece))
}

test("a frame is found in one piece, and byte by byte", () => {
  const [whole, ...none] = parsed(HELLO)
  expect(none).toEqual([])
  expect(whole).toMatchObject({
    header: { isFinal: true, isExtended: false, opcode: TEXT, length: 5, mask: Uint8Array.of(0x37, 0xfa, 0x21, 0x3d) },
    bytes: HELLO,
    offset: 0,
    isEnd: true,
  })
  const parts = parsed(...[...HELLO].map((byte) => Uint8Array.of(byte)))
  expect(concatBytes(...parts.map(({ bytes }) => bytes))).toEqual(HELLO)
  expect(parts.map(({ isEnd }) => isEnd)).toEqual([...Array(5).fill(false), true])
  for (const found of [[whole!], parts]) expect(concatBytes(...found.map(unmasked))).toEqual(utf8("Hello"))
})

test("frames of a fragmented message are told apart, with a control frame between them", () => {
  const parts = parsed(Uint8Array.of(0x01, 0x03, 0x48, 0x65, 0x6c, 0x88, 0x00, 0x80), Uint8Array.of(0x02, 0x6c, 0x6f, 0xc1, 0x00))
  expect(parts.map(({ header: { isFinal, isExtended, opcode }, payload }) => [isFinal, isExtended, opcode, payload])).toEqual([
    [false, false, TEXT, utf8("Hel")],
    [true, false, CLOSE, new Uint8Array(0)],
    [true, false, 0, utf8("lo")],
    [true, true, TEXT, new Uint8Array(0)],
  ])
})

test.each([0, 125, 126, 0xffff, 0x1_0000])("a frame of %d bytes is found again as it was made", (length) => {
  const text = new Uint8Array(length).fill(97)
  const [part] = parsed(textFrame(text))
  expect(part).toMatchObject({ header: { isFinal: true, opcode: TEXT, length, mask: undefined }, isEnd: true })
  expect(Buffer.from(part!.payload).equals(text)).toBe(true)
})
