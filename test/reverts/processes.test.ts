import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

import { seracOfFile } from "../cli/serac.js"
import { type RunningNode, startNode } from "../faults/node.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { cuttableServer } from "../fixtures/cuttableServer.js"
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

test.skipIf(process.platform !== "linux")("clients of both processes have the chain whenever it goes back", async () => {
  const dataDir = mkdtempSync(join(built.folder, "chain-"))
  writer = await startNode(built.bin, ["--data-dir", dataDir, "--accounts", "0"])
  server = await startNode(built.bin, ["serve", "--data-dir", dataDir, "--processes", "2", "--public"])
  for (const [shape, run] of shapes) await goesBack(shape, run)
  for (const [shape, run] of shapes) await goesBackWithCuts(shape, run)
  expect([await server.stop(), await writer.stop()]).toEqual([0, 0])
})

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

/** The same for clients whose connections are cut at a step: they come back, also to the other process. */
async function goesBackWithCuts(shape: string, run: (typeof shapes)[number][1]): Promise<void> {
  await begin()
  const proxy = await cuttableServer(server.url)
  const url = proxy.url.replace(/\/$/, "")
  const models = Array.from({ length: 4 }, () => new ChainModel())
  const clients = await Promise.all(
    models.map((model, i) => returning(i % 2 === 0 ? sseClient(url) : webSocketClient(url))(model)),
  )
  await told(shape, models)
  const cut = proxy.cutAfter(CUTS[shapes.findIndex(([name]) => name === shape) % CUTS.length] as number, "received")
  await run(chain)
  for (let isCut = false; !isCut; await grow(1))
    isCut = await Promise.race([cut.then(() => true), told(shape, models).then(() => false)])
  await told(shape, models)
  for (const client of clients) await client.stop()
  await proxy.close()
}
