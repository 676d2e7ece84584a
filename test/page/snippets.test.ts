import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { snippetsOf } from "../../src/page/data/snippets.js"
import { root } from "../sources.js"

test("the calls that the page writes for curl, fetch and avalanchejs all work", async () => {
  const devnet = await startDevnet({ accounts: 0 })
  const dir = join(root, "node_modules/.cache/serac-snippets")
  mkdirSync(dir, { recursive: true })
  try {
    const params = { height: 0, encoding: "json" }
    const outputs: string[] = []
    const hasCurl = spawnSync("curl", ["--version"]).status === 0
    for (const { name, text } of snippetsOf(devnet.url, "/ext/bc/P", "platform.getBlockByHeight", params)) {
      if (name === "curl" && !hasCurl) continue
      const path = join(dir, `${name}.mjs`)
      writeFileSync(path, text)
      outputs.push(`${name}: ${await run(name === "curl" ? ["sh", path] : [process.execPath, path])}`)
    }
    const { block } = (await devnet.rpc("platform.getBlockByHeight", { height: 0, encoding: "json" })) as {
      block: { id: string }
    }
    expect(outputs.map((output) => [output.split(":")[0], output.includes(block.id)])).toEqual([
      ...(hasCurl ? [["curl", true]] : []),
      ["fetch", true],
      ["avalanchejs", true],
    ])
  } finally {
    rmSync(dir, { recursive: true, force: true })
    await devnet.stop()
  }
})

/** Runs a command asynchronously, because the node that it calls runs in this process. */
async function run([command, ...args]: string[]): Promise<string> {
  return (await promisify(execFile)(command as string, args)).stdout
}
