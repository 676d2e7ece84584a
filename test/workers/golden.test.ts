import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Chain } from "../../src/core/chain/chain.js"
import type { Json } from "../../src/core/lib/json.js"
import { silentLog } from "../../src/core/lib/log.js"
import { project } from "../../src/core/readmodel/fold.js"
import { chainDir } from "../../src/node/chainData.js"
import { openStore } from "../../src/node/openStore.js"
import { startServing } from "../../src/node/serve.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { acceptAll, goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip, openGoldenData } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"
import { needs } from "../needs.js"
import { readRecording } from "../recordings/recordings.js"
import { WORKERS, workersReady, workersWanted } from "../rpc/methods/workers.js"

interface Call {
  readonly method: string
  readonly params: { readonly [name: string]: Json }
}

/** Methods whose answer is random or depends on the node. */
const OTHERS: ReadonlySet<string> = new Set(["platform.sampleValidators", "platform.issueTx"])

// `.ci/run` asks for three workers; the same calls of one process are compared with the recorded answers in test/golden.
describe.each(goldenChains)("%s", needs(WORKERS > 1, "several API workers (SERAC_API_WORKERS=3)"), (folder) => {
  test("several workers answer every recorded call as one process does", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "serac-golden-"))
    try {
      await replayInto(dataDir, folder)
      await compareAnswers(dataDir, folder)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 300_000)
})

/** Replays a recorded chain into a data directory. */
async function replayInto(dataDir: string, folder: string): Promise<void> {
  const store = openStore(chainDir(dataDir))
  const { data, blocks } = openGoldenData(folder, store)
  const chain = new Chain({ rules: data.rules, state: store, project })
  acceptAll(chain, blocks.slice(1))
  chain.flush()
  await store.close()
}

async function compareAnswers(dataDir: string, folder: string): Promise<void> {
  const { apiWorkers, apiWorkerProgram } = workersWanted()
  const server = await startServing({
    ...{ dataDir, apiWorkers, apiWorkerProgram },
    dialect: "avalanchego",
    isPublic: false,
    http: { port: 0 },
    log: silentLog,
    wall: () => Date.now(),
  })
  try {
    await workersReady(server)
    const { store, rules, genesis } = goldenTip(folder)
    const node = testNode({ store, rules, genesis, methods: platformMethods, port: { uptimeOf: () => undefined } })
    const names = new Set(platformMethods.map(({ name }) => name as string))
    const { calls } = readRecording<{ calls: readonly Call[] }>(`golden/${folder}/record.json`)
    const asked = calls.filter(({ method }) => names.has(method) && !OTHERS.has(method))
    expect(asked.length).toBeGreaterThan(10)
    for (const { method, params } of asked) {
      const expected = plain(await node.call(method, params))
      // Each call has its own connection, so that every worker answers some.
      const answers = await Promise.all(Array.from({ length: WORKERS }, () => ask(server.listening!.url, method, params)))
      for (const answer of answers) expect({ method, params, answer }).toEqual({ method, params, answer: expected })
    }
  } finally {
    await server.stop()
  }
}

async function ask(url: string, method: string, params: Json): Promise<Json> {
  const headers = { "content-type": "application/json", connection: "close" }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const {
    jsonrpc: _,
    id: __,
    ...answer
  } = (await (await fetch(`${url}/ext/bc/P`, { method: "POST", headers, body })).json()) as {
    jsonrpc: Json
    id: Json
  }
  return answer as Json
}

/** Converts bigints to numbers, as `fetch` reads them. */
const plain = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each)))
