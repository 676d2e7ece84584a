import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { type Outcome, run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

const options = { accounts: 0, startTime: 1_900_000_000n, freezeTime: true }
const TIME = "2030-03-17T17:46:40Z"
const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"

/** Makes two blocks with a payment each, and watches them with these flags; returns the output and the IDs. */
async function watchTwoBlocks(...flags: readonly string[]) {
  await using devnet = await startDevnet(options)
  const made = []
  for (let height = 1; height <= 2; height++) {
    const { txID } = await devnet.dev.fund({ address: FRIEND, amount: 1_000_000_000n })
    const { blockID, effect } = await devnet.rpc("platform.getTxInfo", { txID: txID as string })
    made.push({ height, txID, blockID, effect })
  }
  return { made, outcome: await run(["watch", "--url", devnet.url, "--from", "1", "--blocks", "2", ...flags]) }
}

test("accepted transactions and blocks are a line each", async () => {
  const { made, outcome } = await watchTwoBlocks()
  const lines = made.map(
    ({ height, txID, blockID, effect }) =>
      `${TIME}  tx            ${height}  BaseTx  ${txID}  ${effect}\n${TIME}  block         ${height}  BanffStandardBlock  ${blockID}\n`,
  )
  expect(outcome).toEqual({ code: 0, stdout: lines.join(""), stderr: "" })
})

test("with --json each event is an object on its line", async () => {
  const { made, outcome } = await watchTwoBlocks("--json")
  const events = outcome.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(events).toEqual(
    made.flatMap(({ height: at, txID, blockID, effect }) => [
      { event: "tx", txID, kind: "BaseTx", status: "Committed", height: `${at}`, blockID, effect, timestamp: TIME },
      expect.objectContaining({ event: "block", id: blockID, height: `${at}`, txs: [txID] }),
    ]),
  )
})

test("with --kinds only transactions of these kinds are printed, and the blocks that hold one; other filters narrow them further", async () => {
  await using devnet = await startDevnet({ ...options, accounts: 1 })
  const own = devnet.keys[0]!.address
  const fund = () => devnet.dev.fund({ address: FRIEND, amount: 1_000_000_000n })
  await fund()
  const { nodeIDs, txIDs } = await devnet.dev.addValidators({ count: 1 })
  await fund()
  const { height, effect } = await devnet.rpc("platform.getTxInfo", { txID: txIDs[0] as string })
  const { block } = await devnet.rpc("platform.getBlockByHeight", { height, encoding: "json" })
  const { id: blockID } = block as { id: string }
  const place = (event: string) => `${TIME}  ${event.padEnd(6)}        ${height}`
  const lines = `${place("tx")}  AddPermissionlessValidatorTx  ${txIDs[0]}  ${effect}\n${place("block")}  BanffStandardBlock  ${blockID}\n`
  const watch = (...flags: string[]) => run(["watch", "--url", devnet.url, "--from", "1", "--blocks", "1", ...flags])
  const kinds = ["--kinds", "AddPermissionlessValidatorTx,AddPermissionlessDelegatorTx"]
  for (const more of [[], ["--nodes", nodeIDs[0] as string], ["--addresses", own]]) {
    expect(await watch(...kinds, ...more)).toEqual({ code: 0, stdout: lines, stderr: "" })
  }
  expect(await watch("--nodes", nodeIDs[0] as string)).toEqual({ code: 0, stdout: lines, stderr: "" })
  const { stdout } = await watch("--json", ...kinds)
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(events).toMatchObject([
    { event: "tx", kind: "AddPermissionlessValidatorTx", txID: txIDs[0] },
    { event: "block", id: blockID, height: `${height}` },
  ])
})

test("a filter that the node refuses is refused with the node's reason", async () => {
  await using devnet = await startDevnet(options)
  const { code, stdout, stderr } = await run(["watch", "--url", devnet.url, "--kinds", "PaymentTx"])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toMatch(
    /^serac: cli\.stream_refused: the node refuses such a stream of events \(.*kinds=PaymentTx&after=0-\w+, status: 400, reason: .*PaymentTx/,
  )
})

test("a height that the chain does not have yet is waited for", async () => {
  await using devnet = await startDevnet(options)
  let outcome: Outcome | undefined
  const watching = run(["watch", "--url", devnet.url, "--from", "20", "--blocks", "1"]).then((ended) => {
    outcome = ended
  })
  // Blocks are made until the command has seen one. Both share this process, so each block leaves the event loop to the connection for a turn.
  while (!outcome) {
    await devnet.dev.mine({ filler: true })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await watching
  expect(outcome).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\S+ {2}tx {11}20 {2}BaseTx {2}\w+ {2}.+\n\S+ {2}block {8}20 {2}BanffStandardBlock {2}\w+\n$/),
    stderr: "",
  })
})

/** Starts a server that answers as these functions do, by the method and path. */
async function serverOf(answer: (path: string, response: ServerResponse) => void) {
  const server = createServer(({ url = "" }, response) => answer(url, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(async () => void (await close()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const HEIGHT = '{"jsonrpc":"2.0","id":1,"result":{"height":"4"}}'
const eventOf = (height: number) =>
  `event: block\ndata: {"height":"${height}","id":"b${height}","parentID":"","kind":"BanffStandardBlock","txs":[]}\nid: ${height}\n\n`

test("a stream that breaks continues where it ended", async () => {
  const { url } = await serverOf((path, response) => {
    const after = /after=(\d+)(?:-\w+)?$/.exec(path)?.[1]
    if (after === undefined) response.end(HEIGHT)
    else response.writeHead(200, { "content-type": "text/event-stream" }).end(eventOf(Number(after) + 1))
  })
  expect(await run(["watch", "--url", url, "--blocks", "3"])).toEqual({
    code: 0,
    stdout: [5, 6, 7].map((height) => `${" ".repeat(20)}  block         ${height}  BanffStandardBlock  b${height}\n`).join(""),
    stderr: "",
  })
})

test("where the node goes away or no node is, one line says so", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  onTestFinished(() => void vi.useRealTimers())
  let streams = 0
  const { url, close } = await serverOf((path, response) => {
    if (!path.includes("after=4")) response.end(HEIGHT)
    else if (streams++ > 0) response.writeHead(503).end("closing\n")
    else response.writeHead(200, { "content-type": "text/event-stream" }).end(": alive\n\n")
  })
  const failed = (line: string) => ({ code: 1, stdout: "", stderr: expect.stringContaining(line) })
  let outcome: Outcome | undefined
  void run(["watch", "--url", url]).then((ended) => {
    outcome = ended
  })
  while (!outcome) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(outcome).toEqual(
    failed(
      `serac: cli.stream_ended: the node ended the stream of events (url: ${url}/ext/bc/P/events?after=4, status: 503, reason: closing)\n`,
    ),
  )
  const other = await serverOf((_, response) => response.writeHead(404).end("nothing here\n"))
  expect(await run(["watch", "--url", other.url])).toEqual(
    failed(`(url: ${other.url}/ext/bc/P, status: 404, answer: nothing here)\n`),
  )
  await close()
  expect(await run(["watch", "--url", url])).toEqual(failed("serac: cli.no_answer: "))
})
