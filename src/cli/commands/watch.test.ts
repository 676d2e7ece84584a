import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { type Outcome, run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

const options = { accounts: 0, startTime: 1_900_000_000n, freezeTime: true }
const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"

/** Makes two blocks with a payment each, and watches them with these flags; returns the output and the IDs. */
async function watchTwoBlocks(...flags: readonly string[]) {
  await using devnet = await startDevnet(options)
  const made = []
  for (let height = 1; height <= 2; height++) {
    const { txID } = await devnet.dev.fund({ address: FRIEND, amount: 1_000_000_000n })
    const { blockID } = await devnet.rpc("platform.getTxInfo", { txID: txID as string })
    made.push({ height, txID, blockID })
  }
  return { made, outcome: await run(["watch", "--url", devnet.url, "--from", "1", "--blocks", "2", ...flags]) }
}

test("accepted transactions and blocks are a line each", async () => {
  const { made, outcome } = await watchTwoBlocks()
  const lines = made.map(
    ({ height, txID, blockID }) => `tx      ${height}  BaseTx  ${txID}\nblock   ${height}  BanffStandardBlock  ${blockID}\n`,
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
    made.flatMap(({ height, txID, blockID }) => [
      { event: "tx", txID, kind: "BaseTx", status: "Committed", height: `${height}`, blockID, timestamp: "2030-03-17T17:46:40Z" },
      expect.objectContaining({ event: "block", id: blockID, height: `${height}`, txs: [txID] }),
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
  const { height } = await devnet.rpc("platform.getTxInfo", { txID: txIDs[0] as string })
  const { block } = await devnet.rpc("platform.getBlockByHeight", { height, encoding: "json" })
  const { id: blockID } = block as { id: string }
  const lines = `tx      ${height}  AddPermissionlessValidatorTx  ${txIDs[0]}\nblock   ${height}  BanffStandardBlock  ${blockID}\n`
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
    /^serac: cli\.stream_refused: the node refuses such a stream of events \(.*kinds=PaymentTx, reason: ".*PaymentTx/,
  )
})

test("a height that the chain no longer has is answered by the one it is at, and the next block follows", async () => {
  await using devnet = await startDevnet(options)
  let outcome: Outcome | undefined
  const watching = run(["watch", "--url", devnet.url, "--from", "1000000", "--blocks", "1"]).then((ended) => {
    outcome = ended
  })
  // Blocks are made until the command has seen one: it may connect at any height. Both share this process, so each block leaves the
  // event loop to the connection for a turn.
  while (!outcome) {
    await devnet.dev.mine({ filler: true })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await watching
  expect(outcome).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^revert {2}[\d,]+ {2}\w+\ntx {6}[\d,]+ {2}BaseTx {2}\w+\nblock {3}[\d,]+ {2}BanffStandardBlock {2}\w+\n$/,
    ),
    stderr: "",
  })
})

test("where the stream ends or none is served, one line says so", async () => {
  const server = createServer(({ url }, response) => {
    if (url?.endsWith("from=5")) response.writeHead(200, { "content-type": "text/event-stream" }).end(": alive\n\n")
    else response.writeHead(404).end("nothing here\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = `${url}/ext/bc/P/events`
  const failed = (line: string) => ({ code: 1, stdout: "", stderr: expect.stringContaining(line) })
  expect(await run(["watch", "--url", url, "--from", "5"])).toEqual(
    failed(`serac: cli.stream_ended: the node ended the stream of events (url: ${address}?from=5)\n`),
  )
  expect(await run(["watch", "--url", url])).toEqual(failed(`(url: ${address}, status: 404, answer: nothing here)\n`))
  await new Promise((resolve) => server.close(resolve))
  expect(await run(["watch", "--url", url])).toEqual(failed("serac: cli.no_answer: "))
})
