import { expect, test } from "vitest"
import { checkPhrase, DEFAULT_MNEMONIC } from "./mnemonic.js"

// From the vectors of BIP-39 itself.
test.each([
  DEFAULT_MNEMONIC,
  `${"abandon ".repeat(11)}about`,
  `  ${"zoo ".repeat(11)}\twrong\n`,
  `${"letter advice cage absurd amount doctor acoustic avoid ".repeat(2)}letter always`,
  `${"abandon ".repeat(23)}art`,
  "void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold",
])("%j is a phrase", async (phrase) => {
  await expect(checkPhrase(phrase)).resolves.toBeUndefined()
})

test.each([
  ["", "producer.bad_mnemonic", { words: 0 }],
  ["test test junk", "producer.bad_mnemonic", { words: 3 }],
  ["test ".repeat(13), "producer.bad_mnemonic", { words: 13 }],
  ["test test tset test test test test test test test test junk", "producer.unknown_word", { word: "tset", position: 3, of: 12 }],
  [`${"Test ".repeat(11)}junk`, "producer.unknown_word", { word: "Test", position: 1, of: 12 }],
  [`${"abandon ".repeat(23)}árt`, "producer.unknown_word", { position: 24 }],
  ["test ".repeat(12), "producer.bad_checksum", { words: 12 }],
  [`${"abandon ".repeat(10)}about abandon`, "producer.bad_checksum", { words: 12 }],
])("%j is none: %s", async (phrase, code, data) => {
  await expect(checkPhrase(phrase)).rejects.toMatchObject({ code, data })
})
