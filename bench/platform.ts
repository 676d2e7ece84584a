import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { services } from "../src/client/services.js"
import { AnswerCache } from "../src/jsonrpc/call/answerCache.js"
import { handle } from "../src/jsonrpc/call/dispatch.js"
import type { Dialect } from "../src/jsonrpc/schema/param.js"
import { Contexts } from "../src/services/contexts.js"
import { Memo } from "../src/services/memo.js"
import { platformMethods } from "../src/services/platform/index.js"
import { openLmdbStore } from "../src/store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../src/store/memory/memoryStore.js"
import type { Store } from "../src/store/store.js"
import { testNode } from "../test/fixtures/rpcNode.js"
import { type BigChain, bigChain, bigChainTables } from "./fixtures/bigChain.js"
import { measureLater, type Report } from "./harness.js"
import { type How, questions } from "./questions.js"

/** The platform interface without HTTP: from the bytes of a request to those of its answer. */
export const platformReports: readonly Report[] = [
  { name: "platform in memory", run: async (print) => reportOn(new MemoryStore({ tables: bigChainTables }), "memory", print) },
  {
    name: "platform on disk",
    async run(print) {
      const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
      const store = openLmdbStore({ dir, tables: bigChainTables })
      try {
        await reportOn(store, "disk", print)
      } finally {
        await store.close()
        rmSync(dir, { recursive: true, force: true })
      }
    },
  },
]

/** Three requests about each of the 2,000 addresses. There are more transactions than that, which are not asked for again. */
const MAX_WARM_UP = 6_000

async function reportOn(store: Store, where: string, print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const chain = bigChain(store)
  print(`platform, ${where}: chain made in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const { endpoint, forget } = serve(store, chain, "contract")
  for (const { name, bodies, how } of questions(chain)) {
    const requests = bodies.map((body) => Buffer.from(body))
    const ask = (request: Uint8Array) => {
      if (how !== "cached") forget(how)
      return handle(request, endpoint)
    }
    let next = 0
    const askNext = () => ask(requests[next++ % requests.length] as Uint8Array)
    // The caches that last over blocks are filled from the start. Answers about addresses are stored on their second request: without
    // this, the measured rounds would have answers that were made and answers that were found, in a mixture that depends on the speed.
    if (how !== "cold") while (next < Math.min(3 * requests.length, MAX_WARM_UP)) await askNext()
    const { perSecond, micros } = await measureLater(askNext)
    print(`platform, ${where}, ${name}, ${how}: ${Math.round(perSecond)}/s (${micros.toFixed(1)} µs)`)
  }
}

function serve(store: Store, { rules, genesis }: BigChain, dialect: Dialect) {
  const { node, changed } = testNode({ store, rules, genesis, methods: platformMethods })
  const { block } = genesis
  const memo = new Memo(64 << 20)
  const contexts = new Contexts({ dialect, rules, node, memo, snapshot: () => store.view() })
  const methods = new Map(platformMethods.map((method) => [method.name as string, method]))
  const endpoint = {
    service: services.platform,
    textFormat: { hrp: node.hrp, dialect, cachedText: memo.text.bind(memo) },
    methods,
    dialect,
    answers: new AnswerCache(192 << 20),
    answerRoom: node.answerRoom,
    open: () => contexts.open(),
  }
  const forget = (how: How) => changed(how === "cold" ? undefined : block)
  return { endpoint, forget }
}
