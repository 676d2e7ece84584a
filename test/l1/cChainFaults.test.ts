import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import type { CChainChoice } from "../../src/hosting/cChainRecord.js"
import { clientOf } from "../../src/node/api.js"
import { openNodeStore } from "../../src/sources/openChain.js"
import { startPrivateChain } from "../../src/sources/private/privateNode.js"
import { storeError } from "../../src/store/errors.js"
import { AtomicWallet } from "./cChain.js"
import { expectConserved } from "./conservation.js"
import { needsPlugin, pluginDir as plugins } from "./plugins.js"

const folder = mkdtempSync(join(tmpdir(), "serac-c-chain-faults-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AVAX = 10n ** 9n

/** Starts a node whose disk can become full. Its C-Chain starts in the background, if its plugin is there. */
async function start(name: string, pluginDir = plugins) {
  const dataDir = join(folder, name)
  const store = await openNodeStore(dataDir, { log: silentLog })
  const disk = { isFull: false }
  const commit = store.commit.bind(store)
  store.commit = (...args) => {
    if (disk.isFull) throw storeError("store.disk_full", { dir: dataDir })
    commit(...args)
  }
  const cChain: CChainChoice = { mode: "auto", upgrade: "fortuna", paysAccounts: false }
  const node = await startPrivateChain(store, {
    ...{ dataDir, pluginDir, cChain, choice: { now: 0n }, dialect: "contract", isPublic: false, log: silentLog },
    ...{ http: { host: "127.0.0.1", port: 0 }, wall: () => Date.now() },
  })
  onTestFinished(() => node.stop())
  const call = clientOf(node.api)
  const { url } = node.listening as { readonly url: string }
  const state = async () => (await call("dev.status")).cChain
  const runs = () => vi.waitFor(async () => expect((await state())?.state).toBe("running"), 30_000)
  const { privateKey } = node.accounts()[0]!
  const openWallet = async () => {
    const evm = (await state())?.keys[0] as AtomicWallet["evm"]
    const rpcUrl = `${url}/ext/bc/C/rpc`
    const chain = {
      blockchainID: "",
      chainID: 43_112,
      wsUrl: "",
      tip: AVAX,
      keys: [evm],
      rpcUrl,
      avaxUrl: `${url}/ext/bc/C/avax`,
    }
    return AtomicWallet.open(url, { privateKey, evm }, chain)
  }
  return { node, call, dataDir, disk, state, runs, openWallet }
}

describe("a C-Chain that fails", { ...needsPlugin("coreth"), timeout: 120_000 }, () => {
  test("leaves the P-Chain alone while its plugin stands still, and goes on when the plugin was killed", async () => {
    const { call, dataDir, state, runs, openWallet } = await start("stopped")
    await runs()
    const user = await openWallet()
    await user.exportFromC(9n * AVAX)
    const pid = (await state())?.pid as number
    process.kill(pid, "SIGSTOP")
    await user.importToP()
    await user.exportFromP(4n * AVAX)
    await call("dev.advanceTime", { seconds: 60 })
    expect((await state())?.state).toBe("running")
    process.kill(pid, "SIGKILL")
    await vi.waitFor(async () => expect((await state())?.restarts).toBe(1), 30_000)
    await runs()
    expect(await user.waitingForC()).toBe(4n * AVAX)
    await user.importToC()
    expect(await user.waitingForC()).toBe(0n)
    await expectConserved(dataDir, user.cChain.rpcUrl)
  })

  test("has a block with what it does to the P-Chain, or neither, when the disk is full", async () => {
    const { call, dataDir, disk, state, runs, openWallet } = await start("full")
    await runs()
    const user = await openWallet()
    await user.exportFromC(2n * AVAX)
    disk.isFull = true
    const issued = user.exportFromC(3n * AVAX).catch((error: Error) => error.message)
    await vi.waitFor(async () => expect(await state()).toMatchObject({ state: "restarting" }), 60_000)
    expect((await call("platform.getHeight")).height).toBeGreaterThanOrEqual(0n)
    expect(await issued).toEqual(expect.any(String))
    expect(await user.waitingForP()).toBe(2n * AVAX)
    disk.isFull = false
    await call("dev.startL1", { name: "C" })
    expect(await user.waitingForP()).toBe(2n * AVAX)
    await user.exportFromC(3n * AVAX)
    await user.importToP()
    await expectConserved(dataDir, user.cChain.rpcUrl)
  })

  test("may miss its plugin at the second start: the P-Chain goes on, and what is on its way is kept until the plugin is back", async () => {
    const first = await start("missing")
    await first.runs()
    const user = await first.openWallet()
    await user.exportFromC(8n * AVAX)
    await user.exportFromP(5n * AVAX)
    await first.node.stop()
    const second = await start("missing", mkdtempSync(join(folder, "no-plugins-")))
    expect(await second.state()).toMatchObject({ state: "restarting", reason: expect.stringContaining("no plugin for this VM") })
    expect((await second.call("health.health")).healthy).toBe(false)
    const alone = await second.openWallet()
    await alone.importToP()
    await alone.exportFromP(6n * AVAX)
    await second.node.stop()
    const third = await start("missing")
    await third.runs()
    const again = await third.openWallet()
    expect([await again.waitingForP(), await again.waitingForC()]).toEqual([0n, 11n * AVAX])
    await again.importToC()
    await expectConserved(third.dataDir, again.cChain.rpcUrl)
  })
})
