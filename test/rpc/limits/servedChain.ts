import { bigChain, bigChainTables, PROMISED, type Size } from "../../../bench/fixtures/bigChain.js"
import { defaultClientLimits, defaultHttpOptions } from "../../../src/jsonrpc/http/options.js"
import { Meter } from "../../../src/jsonrpc/limits/meter.js"
import { openApi } from "../../../src/node/api.js"
import { openHttpServer } from "../../../src/node/httpServer.js"
import { MemoryStore } from "../../../src/store/memoryStore.js"
import { testNode } from "../../fixtures/rpcNode.js"

// Serves a large chain as a public server does, in a process of its own, and tells its parent what it used.

const share = Number(process.argv[2] ?? 1)
const size = Object.fromEntries(
  Object.entries(PROMISED).map(([name, count]) => [name, Math.ceil(count * share)]),
) as unknown as Size

const store = new MemoryStore({ tables: bigChainTables })
const chain = bigChain(store, size)
const { node } = testNode({ store, rules: chain.rules, genesis: chain.genesis, methods: [] })
const api = openApi({
  dialect: "contract",
  rules: chain.rules,
  node,
  snapshot: () => store.view(),
  isPublic: true,
  isReady: () => true,
})
// So many that nothing is refused for want of units: the test compares those that were charged with the time that was used.
const limits = { ...defaultClientLimits, unitsPerSecond: 1e9, burst: 1e9 }
const server = openHttpServer(api, { ...defaultHttpOptions, port: 0, limits, stopTimeout: 100 })
const { port } = await server.listen()

const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The longest stretch of work without a pause since the last question, in milliseconds of CPU. */
let longest = 0
const { run } = Meter.prototype
Meter.prototype.run = function <T>(task: () => T): T {
  const started = cpuMilliseconds()
  try {
    return run.call(this, task) as T
  } finally {
    longest = Math.max(longest, cpuMilliseconds() - started)
  }
}

/** How many times as long as on an idle machine 10 ms of CPU take here and now: the longest but one of 20. */
function slowness(): number {
  const times = Array.from({ length: 20 }, () => {
    const [started, used] = [performance.now(), cpuMilliseconds()]
    while (cpuMilliseconds() - used < 10);
    return performance.now() - started
  })
  return Math.max(1, (times.sort((a, b) => b - a)[1] as number) / 10)
}

process.on("message", (question) => {
  if (question === "slowness") {
    process.send?.(slowness())
    return
  }
  const units = Number(/^serac_client_units_total (.*)$/m.exec(api.metrics.print())?.[1])
  process.send?.({ cpu: cpuMilliseconds(), rss: process.memoryUsage.rss(), units, longest })
  longest = 0
})
process.on("disconnect", () => process.exit())
process.send?.({
  port,
  addresses: chain.addresses,
  nodeIDs: chain.nodeIDs,
  txIDs: chain.txIDs,
  height: Number(chain.height),
})
