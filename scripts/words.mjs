// Makes words.br and ranks.br in src/keystore/strength out of the word lists of npm's zxcvbn 1.1.0, which are those of AvalancheGo's library.
//   npm pack zxcvbn@1.1.0 && tar xzf zxcvbn-1.1.0.tgz && node scripts/words.mjs package
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { brotliCompressSync, constants } from "node:zlib"

const directory = process.argv[2]
if (directory === undefined) throw new Error("usage: node scripts/words.mjs <folder of zxcvbn 1.1.0>")

const lists = {}
runInNewContext(readFileSync(join(directory, "frequency_lists.js"), "utf8"), lists)

// The rank of a word is its position in its list; no word is in two lists. One word has a superfluous backslash.
const ranked = Object.values(lists)
  .flatMap((words) => words.map((word, index) => [word.replaceAll("\\", ""), index + 1]))
  .sort(([a], [b]) => (a < b ? -1 : 1))
const ranks = Buffer.alloc(ranked.length * 2)
for (const [index, [, rank]] of ranked.entries()) ranks.writeUInt16LE(rank, index * 2)

/** Each word as the number of characters it shares with the one before (a letter from `a` on), and the rest. */
function frontCoded(words) {
  return words.map((word, index) => {
    const before = words[index - 1] ?? ""
    let shared = 0
    while (shared < before.length && before[shared] === word[shared]) shared++
    return String.fromCharCode(97 + shared) + word.slice(shared)
  })
}

const compressed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 } })

const folder = "src/keystore/strength"
writeFileSync(`${folder}/words.br`, compressed(Buffer.from(frontCoded(ranked.map(([word]) => word)).join("\n"))))
writeFileSync(`${folder}/ranks.br`, compressed(ranks))
