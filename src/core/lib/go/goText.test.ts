import { expect, test } from "vitest"
import { foldedName, replaceLoneSurrogates, utf8Text } from "./goText.js"

test("names are the same in any letter case, with the long s and the Kelvin sign as letters", () => {
  expect(["subnetID", "SUBNETid", "\u017fubnetId"].map(foldedName)).toEqual(["subnetid", "subnetid", "subnetid"])
  expect(foldedName("bloc\u212aID")).toBe("blockid")
  // Neither has a simple fold to the letter i.
  expect(foldedName("subnet\u0130D")).not.toBe("subnetid")
  expect(foldedName("subnet\u0131d")).not.toBe("subnetid")
})

test("halves of a surrogate pair are replaced, whole pairs stay", () => {
  expect(replaceLoneSurrogates("a\ud800b\udc00\ud83d\ude00")).toBe("a\ufffdb\ufffd\ud83d\ude00")
})

// Recorded from Go 1.26: []rune(string(bytes)).
test.each([
  [[0x61, 0xc3, 0xa9], "aé"],
  [[0xff], "\ufffd"],
  [[0xe2, 0x80], "\ufffd\ufffd"],
  [[0xe2, 0x80, 0xa8], "\u2028"],
  [[0xf0, 0x9f, 0x98, 0x61], "\ufffd\ufffd\ufffda"],
  [[0xed, 0xa0, 0x80], "\ufffd\ufffd\ufffd"],
  [[0xc0, 0x80], "\ufffd\ufffd"],
  [[0xef, 0xbf, 0xbd, 0x80], "\ufffd\ufffd"],
  [[0xf0, 0x9f, 0x98, 0x80], "😀"],
])("the bytes %j are a text as in Go", (bytes, text) => {
  expect(utf8Text(Uint8Array.from(bytes))).toBe(text)
})
