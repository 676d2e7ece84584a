import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { silentLog } from "../../src/core/lib/log.js"
import { LOCAL_ID } from "../../src/core/networks/names.js"
import { READ_MODEL_VERSION } from "../../src/core/readmodel/versions.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { makeReadModel } from "../../src/datadir/readModel.js"
import { openCopy } from "../../src/datadir/storedChain.js"
import { buildSerac } from "../cli/serac.js"
import { countLines } from "../countLines.js"
import { writePayments } from "../fixtures/paymentChain.js"
import { isSoak } from "../fuzz/random.js"

/** A chain whose blocks are larger as hex than the heap of the process that exports them. */
const BLOCKS = isSoak ? 20_000 : 1_300
const MEMO = 24_000
const HEAP_MIB = 56

/** The lines about the chain and its genesis before the blocks. */
const HEAD_LINES = 2

const dataDir = mkdtempSync(join(tmpdir(), "serac-export-memory-"))
let built: ReturnType<typeof buildSerac>

beforeAll(async () => {
  built = buildSerac()
  const store = openStore(chainDir(dataDir), { isLazy: true })
  const data = openCopy(store, { networkID: LOCAL_ID, now: 2n ** 33n })
  makeReadModel(store, data.genesis, silentLog)
  store.putMeta({ readModel: READ_MODEL_VERSION })
  writePayments(store, data, { blocks: BLOCKS, txsPerBlock: 1, addresses: 10, memoBytes: MEMO })
  await store.close()
})
afterAll(() => {
  built.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

test.each(["blocks", "txs"])("an export of %s holds only a part of the chain in memory", async (what) => {
  const args = [`--max-old-space-size=${HEAP_MIB}`, built.bin, "export", what, "--data-dir", dataDir]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] })
  let [bytes, lines, stderr] = [0, 0, ""]
  child.stderr.on("data", (text) => (stderr += text))
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    lines += countLines(chunk)
  })
  const code = await new Promise((resolve) => child.on("close", resolve))
  expect([code, stderr.slice(0, 300), lines]).toEqual([0, "", what === "blocks" ? BLOCKS + HEAD_LINES : expect.any(Number)])
  if (what === "blocks") expect(bytes / 2 ** 20).toBeGreaterThan(HEAP_MIB)
})
