import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createLog } from "./log.js"
import { type PrivateChainOptions, startPrivateChain } from "./privateChain.js"

const options = (changes: Partial<PrivateChainOptions>): PrivateChainOptions => ({
  isEphemeral: false,
  choice: { ruleFlags: {}, now: 1_900_000_000n },
  dialect: "contract",
  isPublic: false,
  log: createLog({ level: "off", form: "machines", now: Date.now, write: () => {} }),
  wall: () => Date.now(),
  ...changes,
})

test("what keeps a chain from starting leaves nothing of it behind: the next start finds its data free", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-private-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const chain = await startPrivateChain(options({ dataDir, http: { port: 0 } }))
  const { port } = chain.listening!
  const elsewhere = { dataDir: join(dataDir, "elsewhere") }
  await expect(startPrivateChain(options({ ...elsewhere, http: { port } }))).rejects.toMatchObject({ code: "node.address_taken" })
  await expect(startPrivateChain(options({ ...elsewhere, loadState: Uint8Array.of(1) }))).rejects.toMatchObject({
    code: "producer.bad_dump",
  })
  await expect(startPrivateChain(options({ dataDir }))).rejects.toMatchObject({ code: "store.locked" })
  await chain.stop()
  for (const each of [elsewhere, { dataDir }]) {
    const again = await startPrivateChain(options(each))
    expect(again.producer?.head.chain.lastAccepted.height).toBe(0n)
    await again.stop()
  }
})
