import { arch, cpus } from "node:os"
import { loadBackends } from "../src/platform/backends.js"
import { line, measure } from "./harness.js"
import { benches, reports } from "./index.js"

/**
 * `npm run bench -- [WORD…] [METHOD…]`: measures all benches, or those whose name has one of the words in it, and of the API all
 * methods, or those that are named: `npm run bench -- "rpc over HTTP" platform.getUTXOs`.
 */
async function main(args: readonly string[]): Promise<number> {
  const isMethod = (arg: string) => /^(platform|info)\./.test(arg)
  const words = args.filter((arg) => !isMethod(arg))
  const isWanted = (name: string) => words.some((word) => name.toLowerCase().includes(word.toLowerCase()))
  const all = words.length === 0
  const wanted = benches.filter(({ name }) => all || isWanted(name))
  const told = reports.filter(({ name }) => all || isWanted(name))
  if (wanted.length + told.length === 0) {
    console.error(`no bench has ${words.join(" or ")} in its name`)
    return 1
  }
  console.log(`Node ${process.version}, ${arch()}, ${cpus()[0]?.model ?? "unknown processor"}; medians`)
  for (const bench of wanted) {
    const work = bench.prepare()
    console.log(line(bench, work, measure(work)))
  }
  for (const report of told) await report.run((text) => console.log(text), args.filter(isMethod))
  return 0
}

await loadBackends()
process.exitCode = await main(process.argv.slice(2))
