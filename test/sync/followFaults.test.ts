import { existsSync, mkdtempSync, rmSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { Chain } from "../../src/core/chain/chain.js"
import { silentLog } from "../../src/core/lib/log.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { startFollowing } from "../../src/sources/followed/follow.js"
import { HttpNode } from "../../src/sync/follow/httpNode.js"
import { likeAvalancheGo, startCopy, startTestProxy, type TestCopy } from "./followNodes.js"

let devnet: Devnet
let height: bigint

beforeAll(async () => {
  devnet = await startDevnet({ startTime: 1_790_000_000n })
  height = (await devnet.dev.mine({ blocks: 40, filler: true })).height
})
afterAll(() => devnet.stop())

const problemOf = (copy: TestCopy): string | undefined =>
  (copy.api.health.report("health", []).checks as Record<string, { error?: string }>).follow?.error

const hasProblem = (copy: TestCopy, text: string | RegExp) =>
  vi.waitFor(() => expect(problemOf(copy)).toMatch(text), { timeout: 20_000 })

test("every request carries the header, and a node that wants a key refuses others by name", async () => {
  const withKey: Parameters<typeof startTestProxy>[1] = (request, response) => {
    if (request.headers["x-api-key"] === "1234") return likeAvalancheGo(request, response)
    response.writeHead(401).end("no key")
    return "done"
  }
  await using proxy = await startTestProxy(devnet.url, withKey)
  await using copy = await startCopy([proxy.url], undefined, { requests: { headers: { "x-api-key": "1234" } } })
  await copy.reaches(height)
  await expect(startCopy([proxy.url], join(tmpdir(), "serac-never"))).rejects.toMatchObject({ code: "sync.bad_answer" })
  expect(existsSync(join(tmpdir(), "serac-never"))).toBe(false)
})

test("a node that answers 429 or 5xx is asked again after its Retry-After, or after growing pauses, and never sooner", async () => {
  const asked: number[] = []
  await using proxy = await startTestProxy(devnet.url, (_request, response) => {
    asked.push(performance.now())
    if (asked.length === 1) response.writeHead(429, { "retry-after": "0.3" }).end()
    else if (asked.length <= 3) response.writeHead(503).end("busy")
    else return "pass"
    return "done"
  })
  const node = new HttpNode(proxy.url)
  const answer = await node.call("/ext/bc/P", "platform.getHeight", {}, new AbortController().signal)
  expect(answer).toEqual({ height: String(height) })
  const gaps = asked.slice(1).map((at, i) => at - (asked[i] as number))
  // A timer may fire late, but not early; half a millisecond is rounded.
  expect(gaps.map((gap, i) => gap >= ([300, 500, 1_000][i] as number) - 1)).toEqual([true, true, true])
})

test("requests do not exceed a limited rate", async () => {
  const asked: number[] = []
  await using proxy = await startTestProxy(devnet.url, (request, response) => {
    asked.push(performance.now())
    return likeAvalancheGo(request, response)
  })
  await using copy = await startCopy([proxy.url], undefined, { requests: { requestsPerSecond: 400 } })
  await copy.reaches(height)
  const [first, last] = [asked[0] as number, asked.at(-1) as number]
  // Requests wait for each other, so that a busy machine can only make them rarer.
  expect(asked.length / ((last - first) / 1000)).toBeLessThan(440)
})

test.each([
  ["calls", likeAvalancheGo, "getBlockByHeight"],
  ["the stream", () => "pass" as const, "/ext/bc/P/blocks?"],
])("%s that stall are given up, and asked for again", async (_what, rule, stalling) => {
  const held: ServerResponse[] = []
  const abort = new AbortController()
  await using proxy = await startTestProxy(devnet.url, (request, response) => {
    if (rule(request, response) === "done") return "done"
    // The first block, of height 0, is asked for before anything is kept.
    const isStalling = (request.path + request.body).includes(stalling) && !request.body.includes('"height":"0"')
    if (isStalling && held.length === 0) held.push(response)
    else if (request.path.startsWith("/ext/bc/P/blocks?")) void passStream(request.path, response, abort.signal)
    else return "pass"
    return "done"
  })
  await using copy = await startCopy([proxy.url], undefined, { requests: { patience: 2_000 } })
  await hasProblem(copy, /sync\.no_answer|no answer for 2 s|silent for too long/)
  await copy.reaches(height)
  expect(held.length).toBe(1)
  abort.abort()
})

/** Passes a stream of blocks on as it comes. */
async function passStream(path: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await fetch(devnet.url + path, { signal })
    response.writeHead(200)
    for await (const chunk of body ?? []) response.write(chunk)
  } catch {
    response.destroy()
  }
}

test("the health page names a node that does not answer, and the copy follows it again when it answers", async () => {
  const first = await startTestProxy(devnet.url, likeAvalancheGo)
  await using copy = await startCopy([first.url])
  await copy.reaches(height)
  await first[Symbol.asyncDispose]()
  await hasProblem(copy, "ECONNREFUSED")
  // The node that is followed may come back, so the copy continues to serve.
  expect(copy.api.health.report("readiness", []).healthy).toBe(true)
  expect(copy.height()).toBe(height)
  const { height: grown } = await devnet.dev.mine({ blocks: 2, filler: true })
  height = grown
  await using _second = await startTestProxy(devnet.url, likeAvalancheGo, first.port)
  await copy.reaches(height)
  await vi.waitFor(() => expect(problemOf(copy)).toBeUndefined(), { timeout: 20_000 })
})

const refusedCall = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not bootstrapped"}}'

test.each([
  ["refuses every call, as while it bootstraps", (response: ServerResponse) => void response.end(refusedCall)],
  ["is too busy", (response: ServerResponse) => void response.writeHead(503).end()],
  ["never answers", () => {}],
])("a copy of two nodes follows the first if the P-Chain of the second %s", async (_name, answer) => {
  await using good = await startTestProxy(devnet.url, likeAvalancheGo)
  await using bad = await startTestProxy(devnet.url, (request, response) => {
    if (!request.path.startsWith("/ext/bc/P")) return likeAvalancheGo(request, response)
    answer(response)
    return "done"
  })
  await using copy = await startCopy([bad.url, good.url], undefined, { requests: { patience: 2_000 } })
  await copy.reaches(height)
  expect(problemOf(copy)).toBeUndefined()
})

test("a fault while a block is executed is counted, the health check names it, and the copy continues from what is written", async () => {
  const fault = vi.spyOn(Chain.prototype, "accept").mockImplementationOnce(() => {
    throw new TypeError("a fault")
  })
  await using proxy = await startTestProxy(devnet.url, likeAvalancheGo)
  await using copy = await startCopy([proxy.url])
  await hasProblem(copy, "an error inside Serac stopped the copy (reason: TypeError: a fault)")
  expect(fault).toHaveBeenCalledOnce()
  await copy.reaches(height)
  expect(copy.api.metrics.print()).toContain("serac_faults_total 1\n")
})

test("another network than the one asked for is refused, and leaves no directory behind", async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "serac-follow-")), "copy")
  const starting = startFollowing({
    follow: { urls: [devnet.url], http: {} },
    choice: { networkID: 5, now: 0n },
    dataDir,
    dialect: "contract",
    isPublic: false,
    log: silentLog,
    wall: () => Date.now(),
  })
  await expect(starting).rejects.toMatchObject({ code: "sync.other_network", data: { expected: 5, got: 12345 } })
  expect(existsSync(dataDir)).toBe(false)
  rmSync(join(dataDir, ".."), { recursive: true, force: true })
})
