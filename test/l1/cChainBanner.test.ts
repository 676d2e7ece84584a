import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { bannerJson, bannerOf } from "../../src/cli/banner.js"
import { utf8 } from "../../src/core/lib/bytes.js"
import { silentLog } from "../../src/core/lib/log.js"
import type { CChainChoice } from "../../src/hosting/cChainRecord.js"
import { startPrivateNode } from "../../src/sources/private/privateNode.js"
import { run } from "../terminal.js"
import { scriptedPlugin } from "./hangs.js"

const plugin = scriptedPlugin(new URL("lyingPlugin.fixture.ts", import.meta.url), "coreth")
const folder = mkdtempSync(join(tmpdir(), "serac-c-chain-banner-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(mode: CChainChoice["mode"], pluginDir = plugin.pluginDir) {
  const config = utf8(JSON.stringify({ orders: join(folder, "none") }))
  const node = await startPrivateNode({
    ...{ dataDir: join(folder, "node"), pluginDir, cChain: { mode, upgrade: "fortuna", paysAccounts: false, config } },
    ...{ choice: { now: 0n }, dialect: "contract", isPublic: false, log: silentLog, wall: () => Date.now() },
    http: { port: 0 },
  })
  onTestFinished(() => node.stop())
  return {
    node,
    row: () => /^ *C-Chain +(.*)$/m.exec(bannerOf(node, false))?.[1],
    json: () => JSON.parse(bannerJson(node)).cChain,
  }
}

describe.runIf(process.platform !== "win32")("the banner of a node with a C-Chain", () => {
  test("names its RPC and the tip with which blocks come at once; or why it does not run", async () => {
    const first = await start("required")
    await first.node.l1s?.startCChain()
    const url = first.node.listening?.url
    expect(first.row()).toBe(`${url}/ext/bc/C/rpc, chain ID 43112, blocks come at once with a tip of 1 gwei`)
    expect(first.json()).toMatchObject({ state: "running", path: "/ext/bc/C/rpc", evmChainID: "43112", tip: "1000000000" })
    await first.node.stop()
    const second = await start("auto", mkdtempSync(join(folder, "no-plugins-")))
    expect(second.row()).toMatch(/^restarting: no plugin for this VM is in --plugin-dir/)
    expect(second.json()).toMatchObject({ state: "restarting" })
    await second.node.stop()
    expect((await start("off")).row()).toBe("stopped: --c-chain off")
  })
})

test.each([
  ["serve", "cli.unknown_flag"],
  ["follow http://127.0.0.1:1", "cli.unknown_flag"],
  ["replay --blocks a", "cli.unknown_flag"],
  ["node --network-id fuji", "cli.flag_without_effect"],
  ["node --fork a --plugin-dir b", "cli.flag_without_effect"],
])("serac %s refuses --c-chain by its name", async (command, code) => {
  const { stderr, code: exit } = await run([...command.split(" "), "--c-chain", "required"])
  expect([exit, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^serac: ${code}: .*--c-chain`))])
})
