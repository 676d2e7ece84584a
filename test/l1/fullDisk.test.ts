import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { clientOf } from "../../src/node/api.js"
import { openNodeStore } from "../../src/sources/openChain.js"
import { startPrivateChain } from "../../src/sources/private/privateNode.js"
import { storeError } from "../../src/store/errors.js"
import { needsPlugin, pluginDir } from "./plugins.js"
import { pay, payments } from "./threeChains.js"

test("an L1 whose node has a full disk goes on where it was, once there is room", {
  ...needsPlugin("subnet-evm"),
  timeout: 120_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-full-disk-"))
  const store = await openNodeStore(dataDir, { log: silentLog })
  let isFull = false
  const commit = store.commit.bind(store)
  store.commit = (...args) => {
    if (isFull) throw storeError("store.disk_full", { dir: dataDir })
    commit(...args)
  }
  const node = await startPrivateChain(store, {
    ...{ dataDir, pluginDir, choice: { now: 0n }, dialect: "contract", isPublic: false, http: { host: "127.0.0.1", port: 0 } },
    ...{ log: silentLog, wall: () => Date.now() },
  })
  onTestFinished(async () => {
    await node.stop()
    rmSync(dataDir, { recursive: true })
  })
  const call = clientOf(node.api)
  await call("dev.createL1", { name: "mine", vm: "subnet-evm" })
  const listed = async () => (await call("dev.listL1s")).l1s[0]
  const l1 = { ...(await listed()), rpcUrl: `${node.listening?.url}/ext/bc/mine/rpc` } as Parameters<typeof pay>[0]
  await pay(l1, 0)
  isFull = true
  await expect(pay(l1, 1)).rejects.toThrow()
  await vi.waitFor(async () => expect((await listed())?.state).toBe("restarting"), 30_000)
  expect((await call("platform.getHeight")).height).toBeGreaterThan(0n)
  isFull = false
  await call("dev.startL1", { name: "mine" })
  expect(await payments(l1)).toBe(1)
  expect((await pay(l1, 1)).blockNumber).toBe("0x2")
})
