import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultHttpOptions } from "../src/jsonrpc/http/options.js"
import { openApi } from "../src/node/api.js"
import { openHttpServer } from "../src/node/http.js"
import { openLmdbStore } from "../src/store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../src/store/memory/memoryStore.js"
import type { Store } from "../src/store/store.js"
import { testNode } from "../test/fixtures/rpcNode.js"
import { bigChain, bigChainTables } from "./fixtures/bigChain.js"
import type { Report } from "./harness.js"
import { LoadGenerator, type ServedLoad } from "./load.js"
import { type BenchQuestion, type How, plainQuestions, questions } from "./questions.js"
import { yardstick } from "./yardsticks.js"

const CONNECTIONS = 16
/** Short slices in turns with those of the yardstick, so that changes of the machine's speed affect both. */
const SLICE_MS = 300
const SLICES = 5
const MAX_WARM_UPS = 30
/** How often a block is accepted while the state is to change. */
const BLOCK_MS = 50

type Print = (line: string) => void

/** Measures requests per second over HTTP, beside a server that only parses and prints JSON, or sends a prepared buffer. */
export const rpcReports: readonly Report[] = [
  {
    name: "rpc over HTTP, in memory",
    run: (...asked) => report(new MemoryStore({ tables: bigChainTables }), "memory", ...asked),
  },
  {
    name: "rpc over HTTP, on disk",
    async run(...asked) {
      const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
      const store = openLmdbStore({ dir, tables: bigChainTables })
      try {
        await report(store, "disk", ...asked)
      } finally {
        await store.close()
        rmSync(dir, { recursive: true, force: true })
      }
    },
  },
]

async function report(store: Store, where: string, print: Print, methods: readonly string[]): Promise<void> {
  const chain = bigChain(store)
  const { node, changed } = testNode({ store, rules: chain.rules, genesis: chain.genesis, methods: [] })
  const api = openApi({
    dialect: "contract",
    rules: chain.rules,
    node,
    snapshot: () => store.view(),
    meta: store,
    isPublic: false,
    isReady: () => true,
  })
  const server = openHttpServer(api, { ...defaultHttpOptions, port: 0, nodeID: "NodeID-bench" })
  const { port } = await server.listen()
  const load = new LoadGenerator()
  const accept = (how: How) => {
    const block = chain.accept()
    // A change without a block clears the cache.
    changed(how === "cold" ? undefined : block)
  }
  try {
    const known = [...(where === "memory" ? plainQuestions : []), ...questions(chain)]
    const all = methods.length === 0 ? known : known.filter(({ method }) => methods.includes(method))
    if (all.length === 0) return print(`rpc, ${where}: nothing asks ${methods.join(" or ")}`)
    // One call is not measured, so that the first measured method does not pay for initialisation that all share.
    await measured(all[0] as BenchQuestion, port, load, accept)
    for (const asked of all) print(`rpc, ${where}, ${await measured(asked, port, load, accept)}`)
  } finally {
    load.stop()
    await server.close()
    api.close()
  }
}

async function measured(asked: BenchQuestion, port: number, load: LoadGenerator, accept: (how: How) => void): Promise<string> {
  const { name, path, bodies, how } = asked
  load.prepare(bodies.map((body) => requestBytes(path, body)))
  const run = (at: number) => load.run({ port: at, connections: CONNECTIONS, milliseconds: SLICE_MS })
  const ask = () =>
    how === "cached"
      ? run(port)
      : meanwhile(
          () => accept(how),
          () => run(port),
        )
  const { size } = await warmedUp(ask, asked)
  const stick = await yardstick(size)
  const ours: ServedLoad[] = []
  const theirs: ServedLoad[] = []
  await run(stick.port)
  for (let i = 0; i < SLICES; i++) {
    theirs.push(await run(stick.port))
    ours.push(await ask())
  }
  stick.close()
  const rate = median(ours.map(({ perSecond }) => perSecond))
  const micros = median(ours.map(({ cpuMicros }) => cpuMicros))
  // It counts processor time, because elapsed time would include other processes on a busy machine.
  const ratio = median(theirs.map(({ cpuMicros }) => cpuMicros)) / micros
  const p99 = median(ours.map((each) => each.p99))
  const figures = `${Math.round(rate)}/s, ${Math.round(micros)} µs CPU each, p99 ${p99.toFixed(1)} ms`
  return `${name}, ${how}: ${figures}, ${ratio.toFixed(2)} of ${stick.name}${verdict(asked, rate, ratio)}`
}

function verdict({ share, perSecond, avalanchego }: BenchQuestion, rate: number, ratio: number): string {
  const isMet = (share === undefined || ratio >= share) && (perSecond === undefined || rate >= perSecond)
  const aims = [...(share === undefined ? [] : [`${share} of it`]), ...(perSecond === undefined ? [] : [`${perSecond}/s`])]
  const aim = aims.length === 0 ? "" : `  aim ${aims.join(", ")}: ${isMet ? "met" : "MISSED"}`
  return avalanchego === undefined ? aim : `${aim}  ${(rate / avalanchego).toFixed(1)} times AvalancheGo`
}

/** Accepts blocks until a promise has settled. */
async function meanwhile<T>(accept: () => void, work: () => Promise<T>): Promise<T> {
  accept()
  const blocks = setInterval(accept, BLOCK_MS)
  try {
    return await work()
  } finally {
    clearInterval(blocks)
  }
}

/** Runs until every call was made three times, or for long enough, so that the code is compiled and the cache is filled. */
async function warmedUp(run: () => Promise<ServedLoad>, { bodies }: BenchQuestion): Promise<ServedLoad> {
  for (let asked = 0, runs = 1; ; runs++) {
    const served = await run()
    asked += (served.perSecond * SLICE_MS) / 1000
    if (asked >= 3 * bodies.length || runs >= MAX_WARM_UPS) return served
  }
}

function requestBytes(path: string, body: string): Uint8Array {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.from(head + body)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number
}
