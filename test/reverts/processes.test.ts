import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

import { seracOfFile } from "../cli/serac.js"
import { type RunningNode, startNode } from "../faults/node.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { type GoingChain, type ModelClient, returning, shapes, sseClient, webSocketClient } from "../fixtures/goingBack.js"

const built = seracOfFile("processes-back")
/** The address of ewoq, the key of the local network. */
const ADDRESS = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
let writer: RunningNode
let server: RunningNode
let paid = 0

/** Calls a method of the writer, and returns its result. */
async function call(method: string, params: object = {}) {
  const { result, error } = (await writer.call(method, params)) as { result?: Record<string, unknown>; error?: unknown }
  expect([method, error]).toEqual([method, undefined])
  return result as Record<string, unknown>
}

const grow = async (blocks: number) => {
  for (let i = 0; i < blocks; i++) await call("dev.fund", { address: ADDRESS, amount: String(++paid) })
}
const snapshots = new Map<number, unknown>()
const chain: GoingChain = {
  grow,
  backTo: (height) => call("dev.revert", { id: snapshots.get(height) }),
  dev: {
    reset: () => call("dev.reset"),
    dumpState: () => call("dev.dumpState"),
    loadState: (state) => call("dev.loadState", state as object),
  },
}

async function begin(): Promise<void> {
  await chain.dev.reset()
  for (const [height, blocks] of [
    [0, 2],
    [2, 3],
    [5, 3],
  ] as const) {
    snapshots.set(height, (await call("dev.snapshot")).id)
    await grow(blocks)
  }
}

/** The ID of the writer's last block, with its height. */
async function last(): Promise<string> {
  const { height } = await call("dev.status")
  const ask = { jsonrpc: "2.0", id: 1, method: "platform.getBlockByHeight", params: { height, encoding: "json" } }
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(ask) }
  const answer = await fetch(`${writer.url}/ext/bc/P`, init)
  const { result } = (await answer.json()) as { result: { block: { id: string } } }
  return `${height}-${result.block.id}`
}

/** The processes that the server started. */
const childrenOfServer = () => {
  const { pid } = server.process
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
}

/**
 * A program that a serving process loads first: after the n-th SIGUSR2, one of the next reads of its store fails, the n-th of the steps. Only
 * keys of LMDB are written as hex into a buffer.
 */
const FAILING_READS = `
  const { write } = Buffer.prototype
  const steps = [1, 2, 3, 5, 9]
  let signals = 0
  let left = Infinity
  Buffer.prototype.write = function (...given) {
    if (given[2] === "hex" && --left === 0) {
      process.stderr.write("a read failed\\n")
      throw new Error("the directory cannot be read")
    }
    return write.apply(this, given)
  }
  process.on("SIGUSR2", () => { left = steps[signals++ % steps.length] })
`

test.skipIf(process.platform !== "linux")(
  "clients of both processes have the chain whenever it goes back",
  { timeout: 300_000 },
  async () => {
    const dataDir = mkdtempSync(join(built.folder, "chain-"))
    writer = await startNode(built.bin, ["--data-dir", dataDir, "--accounts", "0"])
    const first = `NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(FAILING_READS)}`
    server = await startNode(built.bin, ["serve", "--data-dir", dataDir, "--processes", "2", "--public"], ["env", first])
    for (const [shape, run] of shapes) await goesBack(shape, run)
    for (const [shape, run] of shapes) for (const fault of faults) await goesBackDespite(shape, run, fault)
    expect([await server.stop(), await writer.stop()]).toEqual([0, 0])
  },
)

/** Waits until all clients have the writer's last block. */
async function told(shape: string, models: readonly ChainModel[]): Promise<void> {
  const position = await last()
  await expect
    .poll(() => models.map((model) => [shape, model.torn, model.position]), { timeout: 20_000 })
    .toEqual(models.map(() => [shape, undefined, position]))
}

async function goesBack(shape: string, run: (typeof shapes)[number][1]): Promise<void> {
  await begin()
  expect(childrenOfServer().length).toBe(2)
  // New connections go to the processes in turn.
  const models = Array.from({ length: 4 }, () => new ChainModel())
  const clients: ModelClient[] = []
  const settled = () => told(shape, models)
  for (const model of models) clients.push(await sseClient(server.url)(model))
  await settled()
  await clients[0]?.stop()
  await clients[1]?.stop()
  await run(chain)
  // Both come back, also to the other process.
  for (const model of models.slice(0, 2)) clients.push(await sseClient(server.url)(model))
  await settled()
  for (const client of clients) await client.stop()
}

/** The bytes after which connections are cut, one for each shape. */
const CUTS = [1, 60, 250, 700, 1500]

/** Lets something fail between the chain and the clients of a proxy, for a shape by its number. Resolves when it has failed. */
type Fault = (proxy: CuttableServer, shape: number) => Promise<unknown>

/** Resolves when the log of the server has a text again, as often as this. */
function logged(text: string, times: number): Promise<void> {
  const count = () => server.log().split(text).length - 1
  const wanted = count() + times
  return new Promise((resolve) => {
    const look = () => (count() >= wanted ? resolve() : setImmediate(look))
    look()
  })
}

const faults: readonly Fault[] = [
  (proxy, shape) => proxy.cutAfter(CUTS[shape % CUTS.length] as number, "received"),
  (_proxy, shape) => {
    const replaced = logged("a process that serves the chain ended and is replaced", 1)
    process.kill(Number(childrenOfServer()[shape % 2]), "SIGKILL")
    return replaced
  },
  () => {
    const children = childrenOfServer()
    const failed = logged("a read failed", children.length)
    for (const pid of children) process.kill(Number(pid), "SIGUSR2")
    return failed
  },
]

/** Resolves when both processes serve, and nothing is wrong. */
const bothServe = () =>
  expect
    .poll(
      async () => {
        // A connection to a process that was killed gets no answer.
        const { status, checks } = await server.health().catch(() => ({ status: 0, checks: undefined }))
        return [status, checks?.processes?.message]
      },
      { timeout: 20_000 },
    )
    .toEqual([200, { serving: 2, count: 2 }])

/** The same for clients that come back, also to the other process, whenever a fault ends their streams. */
async function goesBackDespite(shape: string, run: (typeof shapes)[number][1], fault: Fault): Promise<void> {
  await begin()
  await bothServe()
  const proxy = await cuttableServer(server.url)
  const url = proxy.url.replace(/\/$/, "")
  const models = Array.from({ length: 4 }, () => new ChainModel())
  const clients = await Promise.all(
    models.map((model, i) => returning(i % 2 === 0 ? sseClient(url) : webSocketClient(url))(model)),
  )
  await told(shape, models)
  const failed = fault(
    proxy,
    shapes.findIndex(([name]) => name === shape),
  )
  await run(chain)
  while (!(await Promise.race([failed.then(() => true), told(shape, models).then(() => false)]))) await grow(1)
  await told(shape, models)
  await bothServe()
  for (const client of clients) await client.stop()
  await proxy.close()
}
