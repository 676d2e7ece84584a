import { join } from "node:path"
import { expect, test } from "vitest"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { overrideEdits, overridesOf } from "../../src/producer/chain/overrides.js"
import { randomID, randomUtxo } from "../../src/store/rows.fixture.js"
import { seracOfFile } from "../cli/serac.js"
import { isSoak, Random } from "../fuzz/random.js"
import { run } from "../terminal.js"
import { type RunningNode, startNode } from "./node.js"

const built = seracOfFile("heap")
const { folder } = built

const [VALIDATORS, UTXOS] = isSoak ? [1_500, 100_000] : [5, 5_000]
const GAS_FLAGS = {
  "dynamic-fees-max-gas-capacity": "100000000000",
  "dynamic-fees-max-gas-per-second": "100000000000",
  "dynamic-fees-target-gas-per-second": "50000000000",
}
const GAS = Object.entries(GAS_FLAGS).map(([name, value]) => `--${name}=${value}`)
const SMALL_HEAP = ["env", "NODE_OPTIONS=--max-old-space-size=64"]

/** A data directory with many validators, delegators and UTXOs. */
async function manyRows(): Promise<string> {
  const dataDir = join(folder, "many")
  const devnet = await startDevnet({ port: false, dataDir, accounts: 0, flags: GAS_FLAGS })
  await devnet.dev.addValidators({ count: VALIDATORS, delegators: 1 })
  await devnet.stop()
  const store = openStore(chainDir(dataDir))
  const random = new Random(64)
  const before = [...overridesOf(store.latest)].length
  for (let i = 0; i < UTXOS; i += 1_000) {
    // Outputs that no transaction made are overrides, or a load would rightly call the state damaged.
    const overrides = Array.from({ length: 1_000 }, () => ({
      kind: "utxo" as const,
      utxo: { ...randomUtxo(random), txID: randomID(random) },
    }))
    store.commit(overrideEdits(store.latest, overrides, before + i))
  }
  await store.close()
  return dataDir
}

const hashOf = async (dataDir: string) => {
  const { code, stdout, stderr } = await run(["state", "--data-dir", dataDir, "--json"])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout).hash as string
}

/** Requests the node's health until a promise has settled. Returns the number of answers. */
async function asking(node: RunningNode, work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  let answers = 0
  while (!isOver) {
    expect((await node.health()).status).toBe(200)
    answers++
  }
  return answers
}

test(`a node with a heap of 64 MB dumps and loads ${UTXOS} UTXOs and ${VALIDATORS} validators, and answers meanwhile`, async () => {
  const dataDir = await manyRows()
  const hash = await hashOf(dataDir)
  const file = join(folder, "many.state")
  const node = await startNode(built.bin, ["--data-dir", dataDir, "--dump-state", file, ...GAS], SMALL_HEAP)
  const dumping = node.call("dev.dumpState")
  expect(await asking(node, dumping)).toBeGreaterThan(1)
  const { state } = (await dumping).result as { state: string }
  await node.call("dev.mine", { blocks: 3, filler: true })
  const loading = node.call("dev.loadState", { state })
  expect(await asking(node, loading)).toBeGreaterThan(1)
  expect((await loading).error).toBeUndefined()
  expect(await node.stop()).toBe(0)
  expect(await hashOf(dataDir)).toBe(hash)
  const other = join(folder, "loaded")
  const loaded = await startNode(built.bin, ["--data-dir", other, "--load-state", file, ...GAS], SMALL_HEAP)
  expect(await loaded.stop()).toBe(0)
  expect(await hashOf(other)).toBe(hash)
}, 600_000)
