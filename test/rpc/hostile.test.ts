import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { serviceList } from "../../src/client/services.js"
import { concatBytes, utf8 } from "../../src/core/lib/bytes.js"
import type { Dialect } from "../../src/jsonrpc/schema/param.js"
import { localApi, serve } from "../fixtures/api.js"
import { mutate } from "../fuzz/mutate.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { startRunningNode } from "./methods/runningNode.js"
import { mutatedBody } from "./mutateJson.js"

/** The paths that untrusted clients can reach; only the owner of a node can use /ext/dev. */
const SERVICES = serviceList.filter(({ name }) => name !== "dev")

/** The number of connections at once. */
const AT_ONCE = 32

/** A request as bytes: a call that is wrong somewhere in its body, or anywhere. */
function requestBytes(random: Random): { readonly bytes: Uint8Array; readonly isFramed: boolean } {
  const { paths, methods } = random.pick(SERVICES)
  let body = utf8(mutatedBody(random.pick(methods), random))
  if (random.below(3) === 0) body = mutate(body, body, random)
  const head = `POST ${random.pick(paths)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const bytes = concatBytes(utf8(head), body)
  if (random.below(15) > 0) return { bytes, isFramed: true }
  return { bytes: mutate(bytes, bytes, random), isFramed: false }
}

/** Sends requests over one connection in pieces of any size, and reads until there are `expected` answers or the other side closes. */
async function converse(port: number, bytes: Uint8Array, expected: number, random: Random): Promise<readonly number[]> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  const answers = new Answers()
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => resolve())
    socket.on("error", () => {})
  })
  socket.on("data", (chunk) => {
    answers.add(chunk)
    if (answers.statuses.length >= expected) socket.end()
  })
  const pieces = 1 + random.below(4)
  for (let i = 0, at = 0; i < pieces; i++) {
    const end = i === pieces - 1 ? bytes.length : at + random.below(bytes.length - at + 1)
    socket.write(bytes.subarray(at, end))
    at = end
    if (i < pieces - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  if (expected === 0) socket.end()
  await closed
  expect(answers.faults).toEqual([])
  expect(answers.rest).toBe("")
  return answers.statuses
}

/** Parses a stream of answers; each must be complete and well formed. */
class Answers {
  readonly statuses: number[] = []
  readonly faults: string[] = []
  #chunks: Buffer[] = []
  #size = 0
  #needed = 0

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size > this.#needed && this.#take());
  }

  get rest(): string {
    return Buffer.concat(this.#chunks).toString("latin1")
  }

  #take(): boolean {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    const end = all.indexOf("\r\n\r\n")
    if (end < 0) return false
    const head = all.subarray(0, end).toString("latin1")
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]
    if (status === undefined) this.faults.push(`no HTTP answer: ${head}`)
    // Node's own refusals are chunked and empty.
    const length = /\r\ntransfer-encoding: chunked/i.test(head) ? 5 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const body = all.subarray(end + 4, end + 4 + length)
    if (body.length < length) {
      this.#needed = end + 3 + length
      return false
    }
    if (/\r\ncontent-type: application\/json; charset=utf-8/i.test(head)) this.#checkJson(body.toString())
    this.statuses.push(Number(status))
    this.#chunks = [all.subarray(end + 4 + length)]
    this.#size -= end + 4 + length
    this.#needed = 0
    return true
  }

  #checkJson(text: string): void {
    if (text.includes('"code":-32603')) this.faults.push(`a fault of ours: ${text.slice(0, 200)}`)
    try {
      JSON.parse(text)
    } catch {
      this.faults.push(`no JSON: ${text.slice(0, 200)}`)
    }
  }
}

/** Bytes of the heap that something still holds. */
function usedAfterCollection(): number {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}

/** A server that receives untrusted requests. */
interface Target extends AsyncDisposable {
  readonly port: number
}

async function fixtureIn(dialect: Dialect): Promise<Target> {
  return serve(localApi({ dialect }).api, { allowedHosts: ["*"] })
}

/** Starts a private chain with its mempool and keystore. */
async function privateChain(): Promise<Target> {
  const { chain } = await startRunningNode("contract")
  return { port: chain.listening!.port, [Symbol.asyncDispose]: () => chain.stop() }
}

test.each([
  ["our dialect", () => fixtureIn("contract")],
  ["AvalancheGo's dialect", () => fixtureIn("avalanchego")],
  ["a private chain", privateChain],
] as const)(
  "strangers get well-formed answers or nothing, and leave no trace: %s",
  async (name, start) => {
    const random = new Random(seed(`hostile requests, ${name}`))
    await using target = await start()
    const total = attempts(100_000, 80) / 3
    const seen = new Map<number, number>()
    const conversation = async () => {
      const requests = Array.from({ length: 1 + random.below(6) }, () => requestBytes(random))
      const isFramed = requests.every((each) => each.isFramed)
      const bytes = concatBytes(...requests.map((each) => each.bytes))
      const statuses = await converse(target.port, bytes, isFramed ? requests.length : 0, random)
      for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1)
      if (isFramed) expect(statuses).toHaveLength(requests.length)
      return requests.length
    }
    const round = async () =>
      (await Promise.all(Array.from({ length: AT_ONCE }, conversation))).reduce((sum, each) => sum + each, 0)
    let sent = await round()
    const before = usedAfterCollection()
    while (sent < total) sent += await round()
    expect([...seen.keys()].filter((status) => ![200, 301, 400, 403, 404, 405, 413, 415, 417, 431].includes(status))).toEqual([])
    expect(seen.get(200)).toBeGreaterThan(total / 2)
    expect(usedAfterCollection() - before).toBeLessThan(64 << 20)
  },
  1_200_000,
)
