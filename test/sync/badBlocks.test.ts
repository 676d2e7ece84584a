import { mkdtempSync, rmSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { type Log, silentLog } from "../../src/core/lib/log.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { type ChainFrame, ChainFrameReader, chainFrame } from "../../src/sync/follow/chainFrames.js"
import { run } from "../terminal.js"
import { likeAvalancheGo, type ProxyRule, startCopy, startTestProxy, type TestCopy, type TestProxy } from "./followNodes.js"

let devnet: Devnet
let height: bigint
/** The height of the block with a Warp message. */
let bad: bigint

beforeAll(async () => {
  devnet = await startDevnet({ startTime: 1_900_000_000n, freezeTime: true })
  const { subnetID } = await devnet.dev.createL1({ validators: 1 })
  await devnet.dev.registerL1Validator({ subnetID, weight: 5 })
  bad = (await devnet.dev.status()).height
  await devnet.dev.mine({ blocks: 1, filler: true })
  height = (await devnet.dev.status()).height
})
afterAll(() => devnet.stop())

type Change = (frame: Extract<ChainFrame, { kind: "block" }>) => ChainFrame

/** Names another P-Chain height for Warp messages, so that their blocks break a rule. */
const otherHeight: Change = (frame) => ({ ...frame, warpHeight: 0n })
/** Leaves out the last byte, so that the block cannot be read. */
const cut: Change = (frame) => ({ ...frame, bytes: frame.bytes.subarray(0, -1) })

/** Starts a node that changes the blocks with Warp messages, so that they are bad. */
function startLiar(change: Change = otherHeight): Promise<TestProxy> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  return startTestProxy(devnet.url, ({ path }, response) => {
    if (!path.startsWith("/ext/bc/P/blocks?")) return "pass"
    void passChanged(path, response, change, abort.signal)
    return "done"
  })
}

async function passChanged(path: string, response: ServerResponse, change: Change, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await fetch(devnet.url + path, { signal })
    const reader = new ChainFrameReader()
    response.writeHead(200)
    for await (const chunk of body ?? []) {
      for (const frame of reader.push(chunk as Uint8Array) ?? []) {
        const isBad = frame.kind === "block" && frame.warpHeight !== undefined
        response.write(chainFrame(isBad ? change(frame) : frame))
      }
    }
  } catch {
    response.destroy()
  }
}

function problemOf(copy: TestCopy): string | undefined {
  return (copy.api.health.report("health", []).checks as Record<string, { error?: string }>).follow?.error
}

test.each([
  ["breaks a rule", otherHeight, () => `sync\\.refused: a block breaks a rule \\(height: ${bad}, .*rules\\.warp_`],
  ["cannot be read", cut, () => "sync\\.bad_block: the bytes are not a block \\(.*codec\\.trailing"],
])("a fork of a URL that meets a block that %s ends with one line and exit code 1", async (_, change, line) => {
  await using liar = await startLiar(change)
  const folder = mkdtempSync(join(tmpdir(), "serac-bad-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const words = ["node", "--fork", liar.url, "--data-dir", join(folder, "fork"), "--http-port", "0", "--log-level", "warn"]
  const { code, stdout, stderr } = await run(words)
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(new RegExp(`^serac: ${line()}[^\\n]*\\n$`))
})

/** Answers as AvalancheGo does, with another last byte in the block of height 1, so that its checksum is wrong. */
const otherChecksum: ProxyRule = (request, response) => {
  if (!/getBlockByHeight.*"height":"1"/.test(request.body)) return likeAvalancheGo(request, response)
  response.end(
    JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(request.body).id, result: { block: "0x0000ff", encoding: "hex" } }),
  )
  return "done"
}

test("a fork of a URL whose blocks have wrong checksums ends with one line and exit code 1", async () => {
  await using liar = await startTestProxy(devnet.url, otherChecksum)
  const folder = mkdtempSync(join(tmpdir(), "serac-checksum-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const words = ["node", "--fork", liar.url, "--data-dir", join(folder, "fork"), "--http-port", "0", "--log-level", "error"]
  const { code, stdout, stderr } = await run(words)
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^serac: sync\.bad_answer: [^\n]*checksum[^\n]*\n$/)
}, 60_000)

test("a copy that meets a bad block serves on, fails its health check, and repeats the reason with growing pauses", async () => {
  await using liar = await startLiar()
  const lines: Readonly<Record<string, unknown>>[] = []
  const warn = (event: string, data: Readonly<Record<string, unknown>> = {}) => {
    if (event === "the copy waits") lines.push(data)
  }
  const following: unknown[] = []
  const info = (event: string, data: Readonly<Record<string, unknown>> = {}) => {
    if (event === "following") following.push(data)
  }
  const log: Log = { ...silentLog, warn: warn as Log["warn"], info: info as Log["info"] }
  await using copy = await startCopy([liar.url], undefined, { log })
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(2), { timeout: 30_000 })
  const reason = expect.stringMatching(/^a block breaks a rule .*rules\.warp_/)
  const line = (nextAttemptSeconds: number) => ({ url: liar.url, reason, nextAttemptSeconds })
  expect(lines.slice(0, 3)).toEqual([line(0.25), line(0.5), line(1)])
  // The node is named once for each height from which it is followed, and not at every attempt.
  expect(following).toEqual([0, Number(bad - 1n)].map((from) => ({ url: liar.url, kind: expect.any(String), height: from })))
  expect(problemOf(copy)).toContain("rules.warp_")
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getHeight", params: {} }))
  const reply = await copy.api.handle("/ext/bc/P", body)
  expect(JSON.parse(Buffer.concat(reply?.body ?? []).toString()).result).toEqual({ height: String(bad - 1n) })
})

test("a copy that gets a bad block from one node takes the blocks of another, and is healthy again", async () => {
  await using liar = await startLiar()
  await using copy = await startCopy([liar.url, devnet.url])
  await copy.reaches(height)
  await vi.waitFor(() => expect(problemOf(copy)).toBeUndefined(), { timeout: 20_000 })
})
