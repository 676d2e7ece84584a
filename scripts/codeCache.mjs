// Writes the code that V8 compiles when a private chain starts, beside the bundle of the command line, so that starts need not compile it again.
//   node scripts/codeCache.mjs DIST
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"

const { codeCachePath, loadScript } = createRequire(import.meta.url)("../bin/load.js")

const [dist] = process.argv.slice(2)
const { exports, script } = loadScript(dist)
const dataDir = mkdtempSync(join(tmpdir(), "serac-code-"))
try {
  // In memory, on the disk, and the second time on the disk.
  for (const flags of [["--ephemeral"], ["--data-dir", dataDir], ["--data-dir", dataDir]]) await start(flags)
} finally {
  rmSync(dataDir, { recursive: true })
}
writeFileSync(codeCachePath(dist), script.createCachedData())

/** Starts a node, asks it for its height, and stops it. */
async function start(flags) {
  const stdin = new PassThrough()
  const print = async (line) => {
    const { url } = JSON.parse(line)
    const body = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'
    await (await fetch(`${url}/ext/bc/P`, { method: "POST", headers: { "content-type": "application/json" }, body })).text()
    stdin.end()
  }
  const terminal = {
    stdin,
    env: {},
    columns: undefined,
    print,
    note: (text) => process.stderr.write(text),
    now: () => Date.now(),
  }
  const fixed = ["--http-port", "0", "--json", "--log-level", "off", "--stop-with-stdin"]
  const code = await exports.main([...flags, ...fixed], terminal)
  if (code !== 0) throw new Error(`serac ${flags.join(" ")} ended with ${code}`)
}
