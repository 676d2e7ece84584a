import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test, vi } from "vitest"
import { type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { backupChain } from "../../src/tools/backup.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { deployMessenger, receivedBy, sendMessage, sentBy, upTo } from "./exchange.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-l1-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const backups = attempts(50)
test(`${backups} backups under a stream of messages between two L1s each have one moment of all chains`, {
  ...needsPlugin("subnet-evm"),
  timeout: 60_000 + backups * 20_000,
}, async () => {
  const random = new Random(seed("backups under messages"))
  const dataDir = join(dir, "node")
  await using devnet = await startDevnet({ pluginDir, dataDir, autoRelay: true })
  const created = [
    await devnet.createL1({ name: "first", vm: "subnet-evm" }),
    await devnet.createL1({ name: "second", vm: "subnet-evm" }),
  ] as const
  for (const l1 of created) await deployMessenger(l1)
  const next: [number, number] = [1, 1]
  for (let round = 0; round < backups; round++) {
    let isOver = false
    const stream = async (from: 0 | 1) => {
      while (!isOver) await sendMessage(created[from], created[1 - from] as DevnetL1, next[from]++)
    }
    const target = join(dir, `copy-${round}`)
    const copied = later(random.below(300))
      .then(() => backupChain({ dataDir, target, verifies: false, begin: () => () => {} }))
      .finally(() => {
        isOver = true
      })
    await Promise.all([stream(0), stream(1), copied])
    await using copy = await startDevnet({ pluginDir, dataDir: target })
    // A node does not wait for a plugin that takes long on a busy machine.
    const states = async () => (await copy.dev.listL1s()).l1s.map(({ state }) => state)
    await vi.waitFor(async () => expect(await states()).toEqual(["running", "running"]), 60_000)
    const [first, second] = created.map((l1) => ({ ...l1, rpcUrl: l1.rpcUrl.replace(devnet.url, copy.url) })) as [
      (typeof created)[0],
      (typeof created)[0],
    ]
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      const sent = await sentBy(from)
      // Nothing arrived that was not sent, and what is sent now is no message of a time that the copy does not have.
      expect((await receivedBy(to)).length, `round ${round}`).toBeLessThanOrEqual(sent)
      await sendMessage(from, to, sent + 1)
      await copy.relay()
      expect(await receivedBy(to), `round ${round}`).toEqual(upTo(sent + 1))
    }
  }
})
