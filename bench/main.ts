import { arch, cpus } from "node:os"
import { line, measure } from "./harness.js"
import { benches } from "./index.js"

/** `npm run bench -- [WORD…]`: measures all benches, or those whose name has one of the words in it. */
function main(words: readonly string[]): number {
  const isWanted = (name: string) => words.some((word) => name.toLowerCase().includes(word.toLowerCase()))
  const wanted = benches.filter(({ name }) => words.length === 0 || isWanted(name))
  if (wanted.length === 0) {
    console.error(`no bench has ${words.join(" or ")} in its name`)
    return 1
  }
  console.log(`Node ${process.version}, ${arch()}, ${cpus()[0]?.model ?? "unknown processor"}; medians`)
  for (const bench of wanted) {
    const work = bench.prepare()
    console.log(line(bench, work, measure(work)))
  }
  return 0
}

process.exitCode = main(process.argv.slice(2))
