import { expect, expectTypeOf, test } from "vitest"
import { localApi, serve } from "../../test/fixtures/api.js"
import { refusal } from "../../test/refusal.js"
import { type Json, printJson } from "../core/lib/json.js"
import type { TxJson } from "../core/txs/tx.js"
import type { UnsignedTxJson } from "../core/txs/unsignedTx.js"
import { startDevnet } from "../devnet/devnet.js"
import { answerOf } from "../jsonrpc/answer.js"
import { type Call, httpClient, type MethodName, nodeClient, serviceOf } from "./client.js"
import { serviceList, services } from "./services.js"

const directly = (): Call => {
  const { api } = localApi()
  return nodeClient(async (path, body) => Buffer.concat((await api.handle(path, Buffer.from(body)))?.body ?? []).toString())
}

test("every method is called on the path of its service", async () => {
  const asked: string[] = []
  const call = nodeClient(async (path, body) => {
    asked.push(`${path} ${JSON.parse(body).method}`)
    return '{"result":null}'
  })
  const all = Object.values(services).flatMap(({ paths, methods }) => methods.map(({ name }) => ({ path: paths[0], name })))
  for (const { name } of all) await call(name as MethodName).catch(() => {})
  expect(asked).toEqual(all.map(({ path, name }) => `${path} ${name}`))
})

test("the table of a client reads every example as the method's whole schema does", async () => {
  const methods = serviceList.flatMap((each) => each.methods)
  for (const { name, examples, result } of methods) {
    for (const example of examples) {
      const call = nodeJsonAs(example.result)
      expect(await call(name as MethodName)).toEqual(answerOf(example.result, result.wholeSchema ?? result.jsonSchema))
    }
  }
})

const nodeJsonAs = (result: Json) => nodeClient(async () => printJson({ result }))

test("calls without HTTP are typed by the method's name", async () => {
  const call = directly()
  const { height } = await call("platform.getHeight")
  expectTypeOf(height).toEqualTypeOf<bigint>()
  expect(height).toBe(0n)
  const info = serviceOf("info", call)
  expect(await info.getNetworkID()).toEqual({ networkID: 12345 })
})

test("calls over HTTP give the same results", async () => {
  await using server = await serve(localApi().api)
  expect(await httpClient(server.url)("platform.getHeight")).toEqual({ height: 0n })
})

test("an error is thrown with its number, code and data", async () => {
  await expect(directly()("platform.getTx", { txID: "nonsense" })).rejects.toMatchObject({
    code: "rpc.bad_param",
    message: expect.stringMatching(/^a parameter does not have the required form \(param: txID, /),
    data: { method: "platform.getTx", rpcCode: -32602, param: "txID" },
  })
})

test("an unknown parameter is refused with the name that was probably meant, and is not sent", async () => {
  const sent: string[] = []
  const call = nodeClient(async (_, body) => {
    sent.push(body)
    return '{"result":{}}'
  })
  // @ts-expect-error no such parameter
  await expect(call("platform.getBalance", { adresses: [] })).rejects.toMatchObject({
    code: "rpc.unknown_param",
    data: { param: "adresses", didYouMean: "addresses" },
  })
  expect(sent).toEqual([])
  // Names are compared without regard to letter case, as the node does.
  await call("platform.getBalance", { Addresses: [] } as never)
  expect(sent).toHaveLength(1)
})

test("the compiler refuses an unknown method", async () => {
  // @ts-expect-error no such method
  await expect(directly()("platform.getNothing")).rejects.toMatchObject({ code: "rpc.unknown_method" })
})

test("a transaction is typed by its encoding: text, or the members of its kinds", async () => {
  await using devnet = await startDevnet({ accounts: 0 })
  const { rpc, keys, dev } = devnet
  const { txID } = await dev.fund({ address: keys[1]?.address ?? "", amount: 5n })
  const text = await rpc("platform.getTx", { txID: txID as string })
  expectTypeOf(text.tx).toEqualTypeOf<string>()
  const { tx } = await rpc("platform.getTx", { txID: txID as string, encoding: "json" })
  expectTypeOf(tx).toEqualTypeOf<TxJson>()
  const { outputs } = tx.unsignedTx as UnsignedTxJson<"BaseTx">
  // One output below 2^53 and one above: both are bigints.
  const amounts = outputs.flatMap(({ output }) => ("amount" in output ? [output.amount] : []))
  expectTypeOf(amounts).toEqualTypeOf<bigint[]>()
  expect(amounts.map((amount) => [typeof amount, amount > 2n ** 53n])).toEqual([
    ["bigint", false],
    ["bigint", true],
  ])
  const { block } = await rpc("platform.getBlockByHeight", { height: 1, encoding: "json" })
  expectTypeOf(block.height).toEqualTypeOf<bigint>()
  expect([block.height, block.txs[0]?.id]).toEqual([1n, txID])
})

test("the address of a node may have a path of its API, and a text that is no address is refused at once", async () => {
  await using server = await serve(localApi().api)
  for (const path of ["", "/", "/ext", "/ext/bc/P", "/ext/info/"]) {
    expect(await httpClient(`${server.url}${path}`)("info.getNetworkID")).toEqual({ networkID: 12345 })
  }
  for (const got of ["127.0.0.1:9650", "ws://127.0.0.1:9650", "http://127.0.0.1:9650?x=1", ""]) {
    expect(refusal(() => httpClient(got))).toEqual({
      code: "client.bad_address",
      data: { got, expected: "an address such as http://127.0.0.1:9650" },
    })
  }
})

test("a method without its service, and an answer that is no JSON, are refused by name", async () => {
  const call = nodeClient(async () => "404 page not found")
  await expect(call("getHeight" as "platform.getHeight")).rejects.toMatchObject({
    code: "rpc.no_service",
    data: { method: "getHeight", didYouMean: "platform.getHeight" },
  })
  await expect(call("platform.getHeight")).rejects.toMatchObject({
    code: "rpc.no_answer",
    data: { method: "platform.getHeight", answer: "404 page not found" },
  })
})

test("a call to an address where no node answers is refused with the address", async () => {
  await expect(httpClient("http://127.0.0.1:1")("platform.getHeight")).rejects.toMatchObject({
    code: "rpc.unreachable",
    data: { url: "http://127.0.0.1:1", reason: expect.any(String) },
  })
})
