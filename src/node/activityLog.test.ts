import { expect, test } from "vitest"
import type { Log, LogData } from "../core/lib/log.js"
import { EMPTY_ID } from "../core/types/id.js"
import { nodeError } from "../datadir/errors.js"
import { startDevnet } from "../devnet/devnet.js"
import { ActivityLog } from "./activityLog.js"
import { createLog } from "./log.js"

/** Starts a private chain and returns the events of its log, without times, after some work. */
async function eventsOf(
  work: (net: Awaited<ReturnType<typeof startDevnet>>) => Promise<unknown>,
  port: number | false = false,
): Promise<unknown[]> {
  const lines: string[] = []
  const write = process.stderr.write
  process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof write
  try {
    const net = await startDevnet({ port, accounts: 0, startTime: 1_900_000_000n, freezeTime: true, logLevel: "info" })
    await work(net)
    await net.stop()
  } finally {
    process.stderr.write = write
  }
  return lines.map((line) => {
    const { time: _, ...rest } = JSON.parse(line)
    return rest
  })
}

test("each accepted transaction and block is a line with kind, ID, fee, height and effect", async () => {
  const events = await eventsOf((net) => net.dev.fund({ address: net.keys[1]!.address, amount: "5000000000" }))
  const tx = events.find((each) => (each as { event: string }).event === "transaction")
  expect(tx).toMatchObject({ level: "info", txKind: "BaseTx", height: 1, effect: expect.stringContaining("5 AVAX to P-local1") })
  expect(events.at(-1)).toMatchObject({
    level: "info",
    event: "block",
    height: 1,
    blockKind: "BanffStandardBlock",
    transactions: 1,
  })
})

test("a refused call is a line with its reason, at most ten a second, then a count", async () => {
  const refuse = async (net: Awaited<ReturnType<typeof startDevnet>>) => {
    for (let i = 0; i < 30; i++) await net.dev.addValidators({ count: 1, duration: 60 }).catch(() => {})
    await (net.rpc as (method: string) => Promise<unknown>)("platform.nothing").catch(() => {})
  }
  const events = (await eventsOf(refuse)) as { event: string; calls?: number }[]
  const written = events.filter(({ event }) => event === "refused call")
  expect(written[0]).toEqual({
    level: "info",
    event: "refused call",
    method: "dev.addValidators",
    code: "rules.stake_too_short",
    reason: "the staking period is too short (duration: 1 minute, minimum: 1 hour)",
  })
  const counted = events.filter(({ event }) => event === "more refused calls").reduce((sum, { calls = 0 }) => sum + calls, 0)
  expect(written.length + counted).toBe(31)
})

test("a body that is no request, a batch that is too long and a call without an id are lines, too", async () => {
  const send = async (net: Awaited<ReturnType<typeof startDevnet>>) => {
    for (const body of ["{}", `[${Array(101).fill(1)}]`, '{"jsonrpc":"2.0","method":"platform.getHeight"}'])
      await fetch(`${net.url}/ext/bc/P`, { method: "POST", headers: { "content-type": "application/json" }, body })
  }
  const events = (await eventsOf(send, 0)) as { event: string }[]
  expect(events.filter(({ event }) => /^(refused call|call without)/.test(event))).toEqual([
    {
      ...{ level: "info", event: "refused call", method: "", code: "rpc.bad_request" },
      reason: 'the request is not a JSON-RPC 2.0 request (expected: an object with jsonrpc "2.0" and a method)',
    },
    {
      ...{ level: "info", event: "refused call", method: "", code: "rpc.bad_batch" },
      reason: "a batch holds 1 to 100 requests (size: more than 100)",
    },
    { level: "info", event: "call without an answer", method: "platform.getHeight", reason: "the request has no id" },
  ])
})

test("lines beyond the limit of a second are counted in one line", async () => {
  const events = (await eventsOf((net) => net.dev.mine({ blocks: 200, filler: true }))) as {
    event: string
    blocks?: number
    transactions?: number
  }[]
  const written = events.filter(({ event }) => event === "block" || event === "transaction").length
  const counted = events.filter(({ event }) => event === "more blocks")
  const left = counted.reduce((sum, { blocks = 0, transactions = 0 }) => sum + blocks + transactions, 0)
  expect(written + left).toBe(400)
  expect(counted.length).toBeGreaterThan(0)
})

test("lines for people have no colours where they are not wanted", () => {
  const lines: string[] = []
  const log = createLog({ level: "info", form: "people", hasColors: false, now: () => 0, write: (text) => lines.push(text) })
  log.info("block", {
    height: 1234n,
    blockID: "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
    blockKind: "BanffStandardBlock",
    transactions: 1,
    size: 515,
  })
  log.warn("something else", { port: 1 })
  expect(lines).toEqual([
    "00:00:00 info  block 1,234  2JVSB…bBrm  BanffStandardBlock, 1 transaction, 515 bytes\n",
    "00:00:00 warn  something else port=1\n",
  ])
})

test("on a public server a refused call is a line for who debugs, and an unknown proxy a warning with the flag that names it", () => {
  const lines: unknown[] = []
  const write = (level: string) => (event: string, data?: LogData) => void lines.push([level, event, data])
  const log: Log = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    isEnabled: () => true,
  }
  const activity = new ActivityLog({ log, isPublic: true, hrp: "local", avaxAssetID: EMPTY_ID, now: () => 0 })
  activity.refused(nodeError("node.stopped", { method: "platform.nothing" }))
  activity.metUnknownProxy("172.17.0.1")
  expect(lines).toEqual([
    ["debug", "refused call", { method: "platform.nothing", code: "node.stopped", reason: expect.any(String) }],
    [
      "warn",
      "the clients of a proxy count as one, because it is not trusted",
      { proxy: "172.17.0.1", flag: "--trusted-proxies" },
    ],
  ])
})
