import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { hrpOf } from "../src/networks/names.js"
import { Api } from "../src/rpc/api.js"
import { defaultHttpOptions } from "../src/rpc/http/options.js"
import { HttpServer } from "../src/rpc/http/server.js"
import { MemoryStore } from "../src/store/memoryStore.js"
import { addressText } from "../src/types/address.js"
import { testNode } from "../test/fixtures/rpcNode.js"
import { type BigChain, bigChain, bigChainTables } from "./fixtures/bigChain.js"
import type { Report } from "./harness.js"
import { LoadGenerator, type Served } from "./load.js"

const CONNECTIONS = 16
/** Short slices in turns with the yardstick's, so that both meet the same weather. */
const SLICE_MS = 300
const SLICES = 5

/** One kind of call and what is promised of it: a share of what its yardstick does, or so many a second. */
interface Asked {
  readonly name: string
  readonly path: string
  readonly bodies: readonly string[]
  readonly share?: number
  readonly perSecond?: number
}

/** Requests a second over HTTP, beside a server that does nothing but parse and print JSON, or send a buffer that is ready. */
export const rpcReports: readonly Report[] = [{ name: "rpc over HTTP", run: report }]

async function report(print: (line: string) => void): Promise<void> {
  const store = new MemoryStore({ tables: bigChainTables })
  const chain = bigChain(store)
  const { node } = testNode({ store, rules: chain.rules, genesis: chain.genesis, methods: [] })
  const api = new Api({
    dialect: "contract",
    rules: chain.rules,
    node,
    snapshot: () => store.view(),
    services: ["info", "platform"],
    isPublic: false,
    isReady: () => true,
  })
  const server = new HttpServer(api, { ...defaultHttpOptions, port: 0, nodeID: "NodeID-bench" })
  const { port } = await server.listen()
  const load = new LoadGenerator()
  try {
    const all = questions(chain)
    // Once for nothing: the first to be measured is not to pay for what all share.
    await measured(all[0] as Asked, port, load)
    for (const asked of all) print(await measured(asked, port, load))
  } finally {
    load.stop()
    await server.close()
    api.close()
  }
}

async function measured(asked: Asked, port: number, load: LoadGenerator): Promise<string> {
  const { name, path, bodies, share, perSecond } = asked
  const requests = bodies.map((body) => requestBytes(path, body))
  const run = (at: number) => load.run({ port: at, requests, connections: CONNECTIONS, milliseconds: SLICE_MS })
  const { size } = await warmedUp(() => run(port), bodies.length)
  // Above a few kilobytes what counts is how fast bytes go out, so the yardstick sends as many.
  const isLarge = size > 4096
  const yardstick = await listening(isLarge ? readyServer(size) : echoServer())
  const ours: Served[] = []
  const theirs: Served[] = []
  await run(yardstick.port)
  for (let i = 0; i < SLICES; i++) {
    theirs.push(await run(yardstick.port))
    ours.push(await run(port))
  }
  yardstick.server.close()
  const rate = median(ours.map((each) => each.perSecond))
  // By processor time: on a busy machine the clock would measure the others.
  const ratio = median(ours.map((each) => each.perCpuSecond)) / median(theirs.map((each) => each.perCpuSecond))
  const p99 = median(ours.map((each) => each.p99))
  const isMet = (share === undefined || ratio >= share) && (perSecond === undefined || rate >= perSecond)
  const aims = [...(share === undefined ? [] : [`${share} of it`]), ...(perSecond === undefined ? [] : [`${perSecond}/s`])]
  const aim = aims.length === 0 ? "" : `  aim ${aims.join(", ")}: ${isMet ? "met" : "MISSED"}`
  const stick = isLarge ? `a ready ${Math.round(size / 1024)} KiB` : "the echo"
  const perCpu = Math.round(median(ours.map((each) => each.perCpuSecond)))
  return `rpc, ${name}: ${Math.round(rate)}/s (${perCpu} per CPU second), p99 ${p99.toFixed(1)} ms, ${ratio.toFixed(2)} of ${stick}${aim}`
}

/** Runs until every request has been answered: what is kept between blocks is there when measuring begins. */
async function warmedUp(run: () => Promise<Served>, requests: number): Promise<Served> {
  for (;;) {
    const served = await run()
    if ((served.perSecond * SLICE_MS) / 1000 > 2 * requests) return served
  }
}

/** Methods that are asked without parameters. */
const PLAIN = [
  "platform.getHeight",
  "platform.getTimestamp",
  "platform.getFeeState",
  "platform.getFeeConfig",
  "platform.getValidatorFeeState",
  "platform.getCurrentSupply",
  "platform.getMinStake",
  "platform.getStakingAssetID",
  "platform.getTotalStake",
  "platform.getProposedHeight",
  "info.getNetworkID",
  "info.getNodeVersion",
  "info.getTxFee",
  "info.upgrades",
  "info.peers",
]

function questions({ addresses, height, rules }: BigChain): readonly Asked[] {
  const call = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const owners = addresses.slice(0, 500).map((each) => addressText(each, hrpOf(rules.networkID)))
  const old = Array.from({ length: 100 }, (_, i) => Number(height) / 2 + i)
  const pathOf = (method: string) => (method.startsWith("info.") ? "/ext/info" : "/ext/bc/P")
  const of = (method: string, all: readonly object[]) => ({ path: pathOf(method), bodies: all.map((each) => call(method, each)) })
  const byOwner = (method: string, more: object = {}) =>
    of(
      method,
      owners.map((each) => ({ addresses: [each], ...more })),
    )
  const perSecond = 5000
  return [
    ...PLAIN.map((method) => ({ name: method, ...of(method, [{}]), share: 0.6 })),
    { name: "platform.getStake", ...byOwner("platform.getStake"), perSecond },
    { name: "platform.getBalance", ...byOwner("platform.getBalance"), perSecond },
    { name: "platform.getUTXOs (100)", ...byOwner("platform.getUTXOs", { limit: 100 }), perSecond },
    {
      name: "platform.getValidatorsAt (old)",
      ...of(
        "platform.getValidatorsAt",
        old.map((each) => ({ height: each })),
      ),
      perSecond,
    },
    {
      name: "platform.getBlockByHeight (hex)",
      ...of(
        "platform.getBlockByHeight",
        old.map((each) => ({ height: each })),
      ),
    },
    {
      name: "platform.getBlockByHeight (JSON)",
      ...of(
        "platform.getBlockByHeight",
        old.map((each) => ({ height: each, encoding: "json" })),
      ),
    },
    { name: "platform.sampleValidators", ...of("platform.sampleValidators", [{ size: 10 }]) },
    { name: "platform.getSubnets (all)", ...of("platform.getSubnets", [{}]) },
    { name: "platform.getBlockchains (all)", ...of("platform.getBlockchains", [{}]) },
    { name: "platform.getCurrentValidators (all)", ...of("platform.getCurrentValidators", [{}]), share: 0.8 },
  ]
}

function requestBytes(path: string, body: string): Uint8Array {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.from(head + body)
}

/** What any JSON-RPC server on node:http must do: read a body, parse it, print an answer. */
function echoServer(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number }
      const body = JSON.stringify({ jsonrpc: "2.0", result: { height: "36" }, id })
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
      response.end(body)
    })
  })
}

/** The same for an answer that is ready. */
function readyServer(size: number): Server {
  const body = Buffer.alloc(size, "x")
  return createServer((request, response) => {
    request.on("data", () => {})
    request.on("end", () => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": size })
      response.end(body)
    })
  })
}

async function listening(server: Server): Promise<{ server: Server; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number
}
