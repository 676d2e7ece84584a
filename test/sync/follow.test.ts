import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { outerBytesAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import { toHex } from "../../src/core/lib/bytes.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import type { Node } from "../../src/node/node.js"
import { ChainFrameReader } from "../../src/sync/follow/chainFrames.js"
import { likeAvalancheGo, startCopy, startTestProxy, type TestCopy } from "./followNodes.js"

const DAY = 86_400
const START_TIME = 1_790_000_000n

/** A private chain with payments, validators and rewards. */
async function chainWithRewards(): Promise<Devnet> {
  const devnet = await startDevnet({ startTime: START_TIME })
  await devnet.dev.addValidators({ count: 2, duration: 14 * DAY })
  await devnet.dev.advanceTime({ seconds: 15 * DAY })
  return devnet
}

const heightOf = async (devnet: Devnet): Promise<bigint> => (await devnet.rpc("platform.getHeight")).height as bigint

/** Answers that show the state of a chain. */
async function answersOf(call: (method: string, params?: object) => Promise<unknown>): Promise<unknown[]> {
  return Promise.all([
    call("platform.getHeight", {}),
    call("platform.getCurrentValidators", {}),
    call("platform.getCurrentSupply", {}),
    call("platform.getBlockByHeight", { height: 5, encoding: "hex" }),
    call("platform.getTimestamp", {}),
  ])
}

async function rawCall(node: Pick<Node, "api">, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await node.api.handle("/ext/bc/P", Buffer.from(body))
  return JSON.parse(Buffer.concat(reply?.body ?? []).toString()).result
}

const postTo = (url: string) => async (method: string, params?: object) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${url}/ext/bc/P`, { method: "POST", headers, body })
  return ((await answer.json()) as { result: unknown }).result
}

/** Removes members about other nodes: a copy has no peers. */
const withoutUptimes = (answers: unknown): unknown =>
  JSON.parse(JSON.stringify(answers).replace(/"(connected|uptime)":[^,}]+,?/g, ""))

async function expectSameAnswers(copy: TestCopy, devnet: Devnet): Promise<void> {
  await copy.reaches(await heightOf(devnet))
  const own = await answersOf((method, params) => rawCall(copy, method, params ?? {}))
  expect(withoutUptimes(own)).toEqual(withoutUptimes(await answersOf(postTo(devnet.url))))
}

function problemOf(copy: TestCopy): string | undefined {
  const report = copy.api.health.report("health", [])
  const check = (report.checks as Record<string, { error?: string }>).follow
  return check?.error
}

test("a copy has the same chain and wrappers as the Serac node that it follows, and its new blocks", async () => {
  await using devnet = await chainWithRewards()
  await using copy = await startCopy([devnet.url])
  await expectSameAnswers(copy, devnet)
  await devnet.dev.advanceTime({ seconds: 30 * DAY })
  await expectSameAnswers(copy, devnet)
  const lease = copy.api.contexts.open()
  const stored = outerBytesAt(lease.context.view, 2n)
  lease.release()
  const stream = await fetch(`${devnet.url}/ext/bc/P/blocks?from=2`)
  const { value } = (await stream.body?.getReader().read()) ?? {}
  const [, second] = new ChainFrameReader().push(value as Uint8Array) ?? []
  expect(stored && toHex(stored)).toBe(second?.kind === "block" && toHex(second.bytes))
})

test("a copy follows a node without index or stream, height by height", async () => {
  await using devnet = await chainWithRewards()
  await using proxy = await startTestProxy(devnet.url, likeAvalancheGo)
  await using copy = await startCopy([proxy.url])
  await expectSameAnswers(copy, devnet)
  await devnet.dev.advanceTime({ seconds: 30 * DAY })
  await expectSameAnswers(copy, devnet)
})

test("a copy continues where it was stopped, also with another kind of source", async () => {
  await using devnet = await chainWithRewards()
  const dataDir = mkdtempSync(join(tmpdir(), "serac-follow-"))
  try {
    {
      await using copy = await startCopy([devnet.url], dataDir)
      await expectSameAnswers(copy, devnet)
    }
    await devnet.dev.advanceTime({ seconds: 30 * DAY })
    await using proxy = await startTestProxy(devnet.url, likeAvalancheGo)
    {
      await using copy = await startCopy([proxy.url], dataDir)
      await expectSameAnswers(copy, devnet)
    }
    await devnet.dev.advanceTime({ seconds: 30 * DAY })
    await using copy = await startCopy([devnet.url], dataDir)
    await expectSameAnswers(copy, devnet)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test("busy answers, errors, truncated answers and wrong bytes delay a copy and lose no block", async () => {
  await using devnet = await chainWithRewards()
  let count = 0
  await using proxy = await startTestProxy(devnet.url, (request, response) => {
    if (likeAvalancheGo(request, response) === "done") return "done"
    const number = request.body.includes("getBlockByHeight") ? count++ : -1
    if (number === 2) response.writeHead(429, { "retry-after": "0.01" }).end()
    else if (number === 4) response.writeHead(503).end("busy")
    else if (number === 6) response.writeHead(200, { "content-length": "1000" }).end('{"jsonrpc":"2.0"')
    else if (number === 12) response.end('{"jsonrpc":"2.0","id":1,"result":{"block":"0x00000000002000000000000000"}}')
    else return "pass"
    return "done"
  })
  await using copy = await startCopy([proxy.url])
  await expectSameAnswers(copy, devnet)
  expect(count).toBeGreaterThan(12)
})

test("where two nodes disagree, the copy stops before that height, continues to serve, and names both blocks", async () => {
  // With a frozen clock both make the same blocks.
  await using one = await startDevnet({ startTime: START_TIME, freezeTime: true })
  await using other = await startDevnet({ startTime: START_TIME, freezeTime: true })
  const address = one.keys[3]?.address as string
  for (const devnet of [one, other]) await devnet.dev.fund({ address, amount: "1000000000" })
  await one.dev.fund({ address, amount: "1" })
  await other.dev.fund({ address, amount: "2" })
  const heights = [await heightOf(one), await heightOf(other)]
  const [agreed, first] = [heights[0]! - 1n, heights[0]!]
  expect(heights).toEqual([first, first])
  await using copy = await startCopy([one.url, other.url])
  await vi.waitFor(() => expect(problemOf(copy)).toContain("different blocks at one height"), { timeout: 20_000 })
  const ids = await Promise.all(
    [one, other].map(({ rpc }) => rpc("platform.getBlockByHeight", { height: first, encoding: "json" })),
  )
  for (const { block } of ids as { block: { id: string } }[]) expect(problemOf(copy)).toContain(block.id)
  expect(copy.height()).toBe(agreed)
  expect(await rawCall(copy, "platform.getHeight", {})).toEqual({ height: agreed.toString() })
})

test("a node of another network, or none at all, is named", async () => {
  await using devnet = await startDevnet({ startTime: START_TIME })
  await using proxy = await startTestProxy(devnet.url, ({ body }, response) => {
    if (!body.includes("getNetworkID")) return "pass"
    response.end('{"jsonrpc":"2.0","id":1,"result":{"networkID":"5"}}')
    return "done"
  })
  const dataDir = mkdtempSync(join(tmpdir(), "serac-follow-"))
  try {
    {
      await using copy = await startCopy([devnet.url], dataDir)
      await copy.reaches(1n)
    }
    await using copy = await startCopy([proxy.url], dataDir)
    await vi.waitFor(() => expect(problemOf(copy)).toContain("belongs to another network"), { timeout: 20_000 })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
  // A refused copy leaves no directory behind.
  await expect(startCopy(["http://127.0.0.1:1"], dataDir)).rejects.toMatchObject({ code: "sync.no_answer" })
  expect(existsSync(dataDir)).toBe(false)
})

test("a copy that is refused after its directory was opened leaves no directory behind", async () => {
  await using devnet = await startDevnet({ startTime: START_TIME })
  const dataDir = join(mkdtempSync(join(tmpdir(), "serac-follow-")), "a", "copy")
  const port = Number(new URL(devnet.url).port)
  const now = BigInt(Math.floor(Date.now() / 1000))
  const refusals = [
    ["node.address_taken", { http: { port } }],
    ["sync.other_network", { choice: { now, networkID: 54321 } }],
  ] as const
  for (const [code, options] of refusals) {
    await expect(startCopy([devnet.url], dataDir, options)).rejects.toMatchObject({ code })
    expect([code, existsSync(join(dataDir, ".."))]).toEqual([code, false])
  }
  rmSync(join(dataDir, "../.."), { recursive: true })
})

test("a state that differs after the same block is noticed by its supply", async () => {
  await using devnet = await startDevnet({ startTime: START_TIME })
  await using proxy = await startTestProxy(devnet.url, (request, response) => {
    if (!request.body.includes("getCurrentSupply")) return likeAvalancheGo(request, response)
    response.end('{"jsonrpc":"2.0","id":1,"result":{"supply":"12","height":"1"}}')
    return "done"
  })
  await using copy = await startCopy([proxy.url])
  await vi.waitFor(() => expect(problemOf(copy)).toContain("another supply of AVAX"), { timeout: 20_000 })
  expect(problemOf(copy)).toMatch(/height: 1, got: 0\.000000012 AVAX, expected: 361,196,248\.\d{1,9} AVAX\)$/)
  // The copy answers with another state than its source until an operator acts.
  expect(copy.api.health.report("readiness", [])).toMatchObject({
    healthy: false,
    checks: { continues: { error: problemOf(copy) } },
  })
})

test("a copy whose stream is cut, also in the middle of a block, opens it again", async () => {
  await using devnet = await chainWithRewards()
  const stream = await fetch(`${devnet.url}/ext/bc/P/blocks?from=1`)
  const first = await stream.body?.getReader().read()
  const bytes = first?.value as Uint8Array
  let cuts = 0
  await using proxy = await startTestProxy(devnet.url, ({ path }, response) => {
    if (!path.startsWith("/ext/bc/P/blocks?")) return "pass"
    const size = [100, bytes.length - 3][cuts++]
    if (size === undefined) response.writeHead(302, { location: devnet.url + path }).end()
    else response.writeHead(200).write(bytes.subarray(0, size), () => response.destroy())
    return "done"
  })
  await using copy = await startCopy([proxy.url, devnet.url])
  await expectSameAnswers(copy, devnet)
  expect(cuts).toBeGreaterThan(0)
})
