import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
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
  let isOver = false
  const stream = async (from: (typeof created)[0], to: (typeof created)[0]) => {
    for (let nonce = 1; !isOver; nonce++) await sendMessage(from, to, nonce)
  }
  const streams = Promise.all([stream(created[0], created[1]), stream(created[1], created[0])])
  for (let round = 0; round < backups; round++) {
    await later(random.below(300))
    const target = join(dir, `copy-${round}`)
    await backupChain({ dataDir, target, verifies: false, begin: () => () => {} })
    await using copy = await startDevnet({ pluginDir, dataDir: target })
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
  isOver = true
  await streams
})
