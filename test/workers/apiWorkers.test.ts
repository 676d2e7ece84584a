import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { chainDir } from "../../src/node/chainData.js"
import { openStore } from "../../src/node/openStore.js"
import { buildSerac } from "../cli/serac.js"
import { type RunningNode, startNode } from "../faults/node.js"
import { needs } from "../needs.js"

const WORKERS = Math.max(2, Number(process.env.SERAC_API_WORKERS ?? 2))
/** Connections over which a load writes. */
const WRITERS = 3
const isLinux = process.platform === "linux"
let serac: ReturnType<typeof buildSerac>

beforeAll(() => {
  serac = buildSerac()
}, 300_000)
afterAll(() => serac.remove())

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-workers-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A private chain on the disk whose workers all take connections. */
async function startWithWorkers(dataDir: string, flags: readonly string[] = []): Promise<RunningNode> {
  const node = await startNode(serac.bin, ["--data-dir", dataDir, "--api-workers", String(WORKERS), ...flags])
  await allReady(node)
  return node
}

/** Waits until every worker takes connections. Each request comes from another client, as a proxy would forward it. */
async function allReady({ url }: RunningNode): Promise<void> {
  for (let look = 0; ; look++) {
    const forwarded = { "x-forwarded-for": `10.1.${look >> 8}.${look & 0xff}`, connection: "close" }
    // A connection that was on its way to a worker that died is reset.
    const answer = await fetch(`${url}/ext/health`, { headers: forwarded }).catch(() => undefined)
    const { checks } = ((await answer?.json()) ?? {}) as Partial<Health>
    if (checks?.apiWorkers.message.ready === WORKERS) return
    // Without a pause the questions would take the time that the workers need to start.
    await setTimeout(20)
  }
}

interface Health {
  readonly checks: { readonly apiWorkers: { readonly message: { readonly ready: number } } }
}

/** A client with one separate connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
    onTestFinished(() => this.#agent.destroy())
  }

  call(method: string, params: object = {}): Promise<{ status: number; body: string }> {
    const path = method.startsWith("dev.") ? "/ext/dev" : "/ext/bc/P"
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json" }
      const sent = request(this.#url + path, { method: "POST", agent: this.#agent, headers }, (response) => {
        let body = ""
        response.on("data", (chunk) => {
          body += chunk
        })
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }))
        response.on("error", reject)
      })
      sent.on("error", reject)
      sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
    })
  }

  async result(method: string, params: object = {}): Promise<Record<string, string>> {
    return JSON.parse((await this.call(method, params)).body).result
  }
}

const clientsOf = ({ url }: RunningNode, count: number) => Array.from({ length: count }, () => new Client(url))

/** The processes that a process started. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not waited for yet is listed as a zombie.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

const metricOf = (page: string, series: string): number =>
  Number(
    page
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  )

/** Checks that the metrics count the calls of all workers, whichever worker answers. The node is new. */
async function expectSums(node: RunningNode): Promise<void> {
  const clients = clientsOf(node, 9)
  for (const client of clients) for (let i = 0; i < 3; i++) await client.call("platform.getHeight")
  await clients[0]?.call("platform.getTxStatus", { txID: "11111111111111111111111111111111LpoYY" })
  for (const _ of clients) {
    const page = await (await fetch(`${node.url}/ext/metrics`, { headers: { connection: "close" } })).text()
    expect(metricOf(page, 'serac_rpc_requests_total{method="platform.getHeight",outcome="ok"}')).toBe(27)
    expect(metricOf(page, 'serac_rpc_requests_total{method="platform.getTxStatus",outcome="ok"}')).toBe(1)
    expect(metricOf(page, "serac_chain_height")).toBe(0)
  }
}

test("every worker shows the change of a call, and the metrics add up the calls of all workers", async () => {
  const node = await startWithWorkers(directory(), ["--freeze-time"])
  await expectSums(node)
  const clients = clientsOf(node, 8)
  const everywhere = async (method: string, params: object, member: string) =>
    new Set((await Promise.all(clients.map((client) => client.result(method, params)))).map((result) => result[member]))
  const owner = "P-local1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmggalnu"
  for (let round = 0; round < 8; round++) {
    const writer = clients[round % clients.length] as Client
    const { height } = await writer.result("dev.mine", { blocks: 1, filler: true })
    expect(await everywhere("platform.getHeight", {}, "height")).toEqual(new Set([height]))
    const before = BigInt([...(await everywhere("platform.getBalance", { addresses: [owner] }, "balance"))][0] as string)
    await writer.result("dev.fund", { address: owner, amount: "5" })
    expect(await everywhere("platform.getBalance", { addresses: [owner] }, "balance")).toEqual(new Set([String(before + 5n)]))
    const { clock } = await writer.result("dev.advanceTime", { seconds: 60 })
    expect(await everywhere("platform.getFeeState", {}, "timestamp")).toEqual(new Set([clock]))
  }
  expect(await node.stop()).toBe(0)
})

test("a change that was confirmed on one connection is visible on all others while several clients write", async () => {
  const node = await startWithWorkers(directory())
  const [writers, readers] = [clientsOf(node, 3), clientsOf(node, 12)]
  const heightsAfter = async (writer: Client) => {
    const { height = "" } = await writer.result("dev.mine", { blocks: 1, filler: true })
    const seen = await Promise.all(readers.map((reader) => reader.result("platform.getHeight")))
    return seen.filter((each) => BigInt(each.height ?? -1) < BigInt(height))
  }
  const write = async (writer: Client) => {
    for (let round = 0; round < 6; round++) expect(await heightsAfter(writer)).toEqual([])
  }
  await Promise.all(writers.map(write))
  expect(await node.stop()).toBe(0)
})

test("a client's rate holds for all workers together", async () => {
  const node = await startWithWorkers(directory(), ["--public", "--rate-limit", "2", "--trusted-proxies", "127.0.0.1"])
  const unitsOf = async (text: Promise<string>) => Number(/^serac_client_units_total (\S+)$/m.exec(await text)?.[1])
  const metrics = async (client: string) => {
    const headers = { "x-forwarded-for": client, connection: "close" }
    return (await fetch(`${node.url}/ext/metrics`, { headers })).text()
  }
  // The page costs its request, and a question to each worker.
  const [before, after] = [await unitsOf(metrics("10.9.9.1")), await unitsOf(metrics("10.9.9.2"))]
  expect(after - before).toBeGreaterThan(1.25 * (0.2 + WORKERS * 0.5))
  const clients = clientsOf(node, 6)
  let answered = 0
  for (let i = 0; i < 60; i++) {
    // A client that owes too much is cut off.
    const answer = await clients[i % 6]?.call("platform.getHeight").catch(() => undefined)
    if (answer?.status === 200) answered++
  }
  // Eight units at once and two a second; each worker by itself would have given as many.
  expect(answered).toBeLessThan(20)
  expect(await node.stop()).toBe(0)
})

test("a killed worker is replaced, and requests to other workers succeed", needs(isLinux, "Linux"), async () => {
  const node = await startWithWorkers(directory())
  const pids = childrenOf(node.process.pid as number)
  expect(pids.length).toBe(WORKERS)
  const clients = clientsOf(node, 12)
  await Promise.all(clients.map((client) => client.call("platform.getHeight")))
  let isOver = false
  const loads = clients.map(async (client) => {
    let failures = 0
    while (!isOver) await client.call("platform.getHeight").catch(() => failures++)
    return failures
  })
  process.kill(pids[0] as number, "SIGKILL")
  while (childrenOf(node.process.pid as number).includes(pids[0] as number)) await new Promise((resolve) => setImmediate(resolve))
  await allReady(node)
  isOver = true
  const failures = await Promise.all(loads)
  // Connections are passed to the workers in turn, so the killed worker had some. Some of them may have been answered before its end was
  // noticed.
  expect(failures.filter((count) => count > 0).length).toBeLessThanOrEqual(clients.length / WORKERS)
  expect(await node.stop()).toBe(0)
})

/** Calls for blocks and for the height until the node has ended. Returns the highest height of an answer, and a promise of the calls' ends. */
async function loadOf(node: RunningNode, writes: number): Promise<{ height: bigint; ended: Promise<unknown> }> {
  let [height, answered] = [0n, 0]
  let onWritten = () => {}
  const written = new Promise<void>((resolve) => {
    onWritten = resolve
  })
  const read = async (client: Client): Promise<never> => {
    for (;;) await client.call("platform.getHeight")
  }
  const write = async (client: Client): Promise<never> => {
    for (;;) {
      const mined = BigInt((await client.result("dev.mine", { blocks: 1, filler: true })).height as string)
      if (mined > height) height = mined
      if (++answered === writes) onWritten()
    }
  }
  const ended = Promise.allSettled([...clientsOf(node, 6).map(read), ...clientsOf(node, WRITERS).map(write)])
  await written
  return {
    get height() {
      return height
    },
    ended,
  }
}

test(
  "workers end with a main process that is killed while callers write, and leave port and store free",
  needs(isLinux, "Linux"),
  async () => {
    const dataDir = directory()
    const node = await startWithWorkers(dataDir)
    const pids = childrenOf(node.process.pid as number)
    const load = await loadOf(node, 20)
    await node.stop("SIGKILL")
    await load.ended
    while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
    const store = openStore(chainDir(dataDir))
    expect(store.snapshots).toEqual([])
    await store.close()
    const server = createServer().listen(Number(new URL(node.url).port), "127.0.0.1")
    await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject))
    server.close()
    const again = await startNode(serac.bin, ["--data-dir", dataDir])
    const height = BigInt((await again.call("platform.getHeight")).result?.height as string)
    // Each writer may have had one more block made whose answer was not sent.
    expect(height >= load.height && height <= load.height + BigInt(WRITERS)).toBe(true)
    expect(await again.stop()).toBe(0)
  },
)

test("a stop waits until workers have finished their requests", async () => {
  const node = await startWithWorkers(directory())
  const body = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'
  const sockets = Array.from({ length: 6 }, () => connect(Number(new URL(node.url).port), "127.0.0.1"))
  const head = `POST /ext/bc/P HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const answers = sockets.map((socket) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
    })
    return new Promise<string>((resolve, reject) => socket.once("close", () => resolve(text)).once("error", reject))
  })
  for (const socket of sockets) socket.write(head + body.slice(0, 10))
  // All of them have been handed over when a later connection is answered.
  for (let i = 0; i < WORKERS; i++) await new Client(node.url).call("platform.getHeight")
  const stopped = node.stop()
  for (const socket of sockets) socket.write(body.slice(10))
  for (const answer of await Promise.all(answers)) expect(answer).toContain('"height":"0"')
  expect(await stopped).toBe(0)
})
