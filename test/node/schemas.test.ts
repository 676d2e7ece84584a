import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { READ_MODEL_VERSION } from "../../src/core/readmodel/versions.js"
import { hashedTables, tables } from "../../src/core/state/tables.js"
import { openChainData } from "../../src/node/chainData.js"
import { openStore } from "../../src/node/openStore.js"
import { startServing } from "../../src/node/serve.js"
import { checkRows } from "../../src/node/summary.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { SCHEMA } from "../../src/store/meta.js"
import { stateHash } from "../../src/store/stateHash.js"
import { type KeptSchema, oldAnswers, oldSchemas, oldStore, presentSchema } from "../fixtures/oldStores.js"
import { testNode } from "../fixtures/rpcNode.js"
import { needsMount } from "../mount.js"
import { run } from "../terminal.js"

const folder = mkdtempSync(join(tmpdir(), "serac-schemas-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("the fixtures contain a store of every schema", () => {
  expect([...oldSchemas, presentSchema]).toEqual(Array.from({ length: SCHEMA }, (_, i) => i + 1))
})

test("a store of the present schema is read without an upgrade, with the same rows, complete indexes and the same answers", async () => {
  const store = openStore(oldStore(presentSchema), { readOnly: true })
  expect(stateHash(store.latest, hashedTables)).toBe("327d4bb2cee1c4238d3f66a1398b8a37643d1be62619a948045bfec661c1ff05")
  checkRows(store.latest, () => {})
  // A later version may rebuild rows of the read model; until then they give the same answers.
  expect(store.getMeta("readModel")).toBe(READ_MODEL_VERSION)
  const { rules, genesis } = openChainData(store, { now: 0n })
  const node = testNode({ store, rules, genesis, methods: platformMethods })
  for (const { method, params, result } of oldAnswers(presentSchema)) {
    expect([method, (await node.call(method, params, "contract")).result]).toEqual([method, result])
  }
  await store.close()
})

test("a store of every schema passes the deep check after its upgrade, and also after it was served", async () => {
  for (const schema of [...oldSchemas, presentSchema] as readonly KeptSchema[]) {
    const dir = oldStore(schema)
    await openStore(dir).close()
    const check = () => run(["state", "--data-dir", dirname(dir), "--check", "--deep"])
    expect([schema, await check()]).toEqual([schema, expect.objectContaining({ code: 0, stderr: "" })])
    const served = await startServing({
      dataDir: dirname(dir),
      dialect: "contract",
      isPublic: false,
      log: silentLog,
      wall: Date.now,
    })
    await served.stop()
    expect([schema, await check()]).toEqual([schema, expect.objectContaining({ code: 0, stderr: "" })])
    // Versions before kept no record of prices: it begins with the next block.
    const store = openStore(dir, { readOnly: true })
    const { height } = store.latest.get(tables.lastAccepted, null)!
    expect([schema, store.latest.first(tables.priceDiffs)?.[0]]).toEqual([schema, height + 1n])
    await store.close()
  }
})

/** Every command that opens a data directory. */
const commandsOn = (dataDir: string) => [
  ["--data-dir", dataDir, "--http-port", "0"],
  ["serve", "--data-dir", dataDir, "--http-port", "0"],
  ["serve", "--public", "--data-dir", dataDir, "--http-port", "0"],
  ["state", "--data-dir", dataDir],
  ["backup", join(folder, "copy"), "--data-dir", dataDir],
  ["repair", "--data-dir", dataDir],
]

test("a store of a newer schema is refused by every command, with both numbers", async () => {
  const dir = oldStore(presentSchema)
  const store = openStore(dir)
  store.putMeta({ schema: SCHEMA + 1 })
  await store.close()
  const refusal = `store.newer: the store was made by a newer version of this program (dir: ${dir}, schema: ${SCHEMA + 1}, known: ${SCHEMA})`
  for (const words of commandsOn(dirname(dir))) {
    expect(await run(words), words.join(" ")).toEqual({ code: 1, stdout: "", stderr: `serac: ${refusal}\n` })
  }
})

describe("a directory of an older version that cannot be written", needsMount, () => {
  test.each(oldSchemas)(
    "a store of schema %i is refused as outdated by every command that opens it for reading",
    async (schema) => {
      const place = mkdtempSync(join(folder, "place-"))
      const dir = oldStore(schema)
      mkdirSync(join(place, "chain"))
      execFileSync("mount", ["--bind", dir, join(place, "chain")])
      onTestFinished(() => void spawnSync("umount", ["--lazy", join(place, "chain")]))
      execFileSync("mount", ["-o", "remount,ro,bind", join(place, "chain")])
      for (const words of [["serve", "--public", "--http-port", "0"], ["state"]]) {
        const { code, stderr } = await run([...words, "--data-dir", place])
        expect([code, stderr], words.join(" ")).toEqual([
          1,
          expect.stringMatching(new RegExp(`^serac: store\\.outdated: [^\\n]*schema: ${schema}, known: ${SCHEMA}\\)\\n$`)),
        ])
      }
    },
  )
})
