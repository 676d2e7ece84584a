import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { startDevnet } from "../../devnet/devnet.js"
import { createLog } from "../../node/log.js"
import { bls } from "../../platform/backends.js"
import { type PrivateNodeOptions, startPrivateNode } from "./privateNode.js"

const options = (changes: Partial<PrivateNodeOptions>): PrivateNodeOptions => ({
  choice: { ruleFlags: {}, now: 1_900_000_000n },
  dialect: "contract",
  isPublic: false,
  log: createLog({ level: "off", form: "machines", now: Date.now, write: () => {} }),
  wall: () => Date.now(),
  ...changes,
})

test("a failed start leaves no lock and no file, so that the next start succeeds", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-private-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const chain = await startPrivateNode(options({ dataDir, http: { port: 0 } }))
  const { port } = chain.listening!
  const elsewhere = { dataDir: join(dataDir, "elsewhere") }
  const events: string[] = []
  const log = createLog({ level: "info", form: "machines", now: Date.now, write: (line) => events.push(JSON.parse(line).event) })
  const taken = options({ ...elsewhere, http: { port }, producer: { accounts: { count: 2 } }, log })
  await expect(startPrivateNode(taken)).rejects.toMatchObject({ code: "node.address_taken" })
  expect(events).toEqual([])
  await expect(startPrivateNode(options({ ...elsewhere, loadState: Uint8Array.of(1) }))).rejects.toMatchObject({
    code: "producer.bad_dump",
  })
  await expect(startPrivateNode(options({ dataDir }))).rejects.toMatchObject({ code: "store.locked" })
  await chain.stop()
  for (const each of [elsewhere, { dataDir }]) {
    const again = await startPrivateNode(options(each))
    expect(again.privateChain?.status.lastAccepted.height).toBe(0n)
    await again.stop()
  }
})

test("a public server has loaded its back ends before it listens", async () => {
  const loaded = vi.spyOn(bls(), "preparePossession")
  onTestFinished(() => loaded.mockRestore())
  const chain = await startPrivateNode(options({ dataDir: undefined, isPublic: true, http: { port: 0 } }))
  expect(loaded).toHaveBeenCalledOnce()
  await chain.stop()
})

test("impossible options are refused before anything is opened", async () => {
  const dataDir = join(tmpdir(), `serac-never-${process.pid}`)
  const accounts = { count: 1, mnemonic: "test test test test test test test test test test test jink" }
  await expect(startPrivateNode(options({ dataDir, producer: { accounts } }))).rejects.toMatchObject({
    code: "producer.unknown_word",
    data: { word: "jink", position: 12 },
  })
  const refused = (producer: PrivateNodeOptions["producer"], code: string) =>
    expect(startPrivateNode(options({ dataDir, producer: producer ?? {} }))).rejects.toMatchObject({ code })
  await refused({ startTime: 253_402_300_800n }, "producer.time_too_far")
  await refused({ startTime: 0n }, "producer.start_too_early")
  await refused({ blockMode: { mode: "interval", seconds: 0 } }, "producer.bad_interval")
  expect(existsSync(dataDir)).toBe(false)
  await expect(startDevnet({ port: false, mnemonic: "test ".repeat(12) })).rejects.toMatchObject({
    code: "producer.bad_checksum",
  })
})

test("accounts without a balance own no UTXOs", async () => {
  const net = await startDevnet({ port: false, accounts: 2, balance: 0n })
  expect(net.keys.map(({ balance }) => balance)).toEqual([30_000_000_000_000_000n, 0n, 0n, 0n])
  await net.stop()
})

test("accounts have the keys of the phrase that was given", async () => {
  const net = await startDevnet({ port: false, accounts: 1, mnemonic: `${"abandon ".repeat(11)}about` })
  expect(net.keys.at(-1)).toMatchObject({
    address: "P-local1p9575chzhvcwvmvzaqh7yeld76r3af0hy8885h",
    balance: 100_000_000_000_000n,
  })
  await net.stop()
})
