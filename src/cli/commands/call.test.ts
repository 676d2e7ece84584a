import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { httpClient } from "../../client/client.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
})
afterAll(() => devnet.stop())

const call = (...words: readonly string[]) => run(["call", ...words, "--url", `${devnet.url}/`])
const refused = (stderr: string) => ({ code: 1, stdout: "", stderr: `serac: ${stderr}\n` })

test("a result is printed as the node wrote it, over several lines or on one", async () => {
  const { height } = await devnet.rpc("platform.getHeight")
  expect(await call("platform.getHeight")).toEqual({ code: 0, stdout: `{\n  "height": "${height}"\n}\n`, stderr: "" })
  expect(await call("platform.getHeight", "--json")).toEqual({ code: 0, stdout: `{"height":"${height}"}\n`, stderr: "" })
})

test("values are read by the schema of the parameter: numbers, booleans, words, lists and JSON", async () => {
  const resultOf = async (...words: readonly string[]) => JSON.parse((await call(...words)).stdout)
  expect(await resultOf("dev.mine", "blocks=2", "filler=true")).toMatchObject({ height: "2" })
  expect(await resultOf("platform.getBlockByHeight", "height=1", "encoding=json")).toMatchObject({ block: { height: 1 } })
  expect(await resultOf("platform.getValidatorsAt", "height=proposed")).toMatchObject({ validators: expect.anything() })
  const two = `${EWOQ}, P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2`
  const asList = await resultOf("platform.getBalance", `addresses=${two}`)
  expect(asList.utxoIDs.length).toBeGreaterThan(0)
  expect(await resultOf("platform.getBalance", `addresses=${JSON.stringify(two.split(", "))}`)).toEqual(asList)
  expect(await resultOf("platform.getSubnets", "ids=")).toMatchObject({ subnets: [expect.anything()] })
  expect(await resultOf("dev.setBlockMode", "mode=interval", "seconds=1000.5")).toBeDefined()
  expect(await resultOf("dev.setBlockMode", "mode=auto")).toBeDefined()
})

test.each([
  [
    ["platform.getHieght"],
    "cli.unknown_method: the API has no such method (method: platform.getHieght). Did you mean platform.getHeight?",
  ],
  [["getHeight"], "cli.unknown_method: the API has no such method (method: getHeight). Did you mean platform.getHeight?"],
  [
    ["dev.mine", "block=2"],
    "cli.unknown_param: the method has no such parameter (method: dev.mine, param: block). Did you mean blocks?",
  ],
  [
    ["platform.getHeight", "blocks=2"],
    "cli.unknown_param: the method has no such parameter (method: platform.getHeight, param: blocks, known: none)",
  ],
  [["dev.mine", "2"], "cli.bad_param: a parameter is written as name=value (argument: 2)"],
  [["dev.mine", "blocks=2", "blocks=3"], "cli.repeated_param: the parameter is given twice (param: blocks)"],
  [
    ["dev.mine", "blocks=two"],
    "cli.param_value: the parameter's value does not have the required form (param: blocks, value: two, expected: an integer)",
  ],
  [
    ["dev.setBlockMode", "mode=fast"],
    "cli.param_value: the parameter's value does not have the required form (param: mode, value: fast, expected: one of auto, interval, manual)",
  ],
])("%j is refused before the node is asked", async (words, line) => {
  expect(await run(["call", ...words, "--url", "http://127.0.0.1:1"])).toEqual(refused(line))
})

test("a refusal of the node exits with 1, its code and its sentence", async () => {
  expect(await call("dev.addValidators", "count=1", "duration=60")).toEqual(
    refused("rules.stake_too_short: the staking period is too short (duration: 1 minute, minimum: 1 hour)"),
  )
})

test("the address of a node may have a slash or a path of its API at the end, and no query", async () => {
  for (const end of ["/", "/ext", "/ext/bc/P", "/ext/info/"]) {
    expect(await run(["call", "info.getNetworkID", "--json", "--url", `${devnet.url}${end}`])).toEqual({
      code: 0,
      stdout: '{"networkID":"12345"}\n',
      stderr: "",
    })
  }
  const { stderr } = await run(["call", "info.getNetworkID", "--url", `${devnet.url}?x=1`])
  expect(stderr).toMatch(/^serac: cli\.flag_value: .*flag: --url/)
})

test("a node that cannot be reached is one line, and so is a server that is no node", async () => {
  const server = createServer((_request, response) => response.writeHead(404).end("nothing here\n"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => void server.close())
  const notNode = await run(["call", "info.getNodeID", "--url", url])
  expect(notNode.stderr).toMatch(/^serac: cli\.not_a_node: .*\(url: \S+\/ext\/info, status: 404, answer: nothing here\)\n$/)
  await new Promise((resolve) => server.close(resolve))
  const { code, stdout, stderr } = await run(["call", "info.getNodeID", "--url", url])
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^serac: cli\.no_answer: no node answers there.*ECONNREFUSED.*\n$/)
})

/** A server that answers every request in this way. Returns its address. */
async function serving(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("an answer without an end is not read beyond a limit, and a redirection is not followed", async () => {
  const chunk = Buffer.alloc(1 << 20, " ")
  const endless = await serving((response) => {
    const fill = () => {
      while (response.write(chunk));
    }
    response.on("drain", fill)
    fill()
  })
  const asked: string[] = []
  const elsewhere = await serving((response) => {
    asked.push(response.req.url ?? "")
    response.end("{}")
  })
  const redirecting = await serving((response) => response.writeHead(307, { location: `${elsewhere}/ext/info` }).end())
  for (const command of [["call", "info.getNodeID"], ["health"]]) {
    expect((await run([...command, "--url", endless])).stderr).toMatch(/^serac: cli\.answer_too_large: .*most: 67108864\)\n$/)
    expect((await run([...command, "--url", redirecting])).stderr).toMatch(/^serac: cli\.no_answer: .*unexpected redirect\)\n$/)
  }
  await expect(httpClient(redirecting)("platform.getHeight")).rejects.toMatchObject({ code: "rpc.unreachable" })
  expect(asked).toEqual([])
})

test("texts of a node stay in their cells, and one that should be a number is a fault of the node", async () => {
  const forged = '\n{"level":"forged"}'
  const accounts = (balance: string) =>
    serving((response) => {
      const privateKey = "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"
      const account = { address: forged, balance, privateKey }
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { accounts: [account] } }))
    })
  expect(await run(["dev", "accounts", "--url", await accounts("5")])).toMatchObject({
    code: 0,
    stdout: expect.not.stringMatching(/^\{/m),
  })
  const { code, stderr } = await run(["dev", "accounts", "--url", await accounts("many")])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^serac: rpc\.bad_answer: .*method: dev\.accounts/)])
})
