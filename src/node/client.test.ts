import { expect, expectTypeOf, test } from "vitest"
import { localApi, serve } from "../../test/fixtures/api.js"
import { type Call, httpClient, type MethodName, nodeClient, serviceOf } from "./client.js"
import { services } from "./services.js"

const directly = (): Call => {
  const { api } = localApi()
  return nodeClient(async (path, body) => Buffer.concat((await api.handle(path, Buffer.from(body)))?.body ?? []).toString())
}

test("every method goes to the path of its service", async () => {
  const asked: string[] = []
  const call = nodeClient(async (path, body) => {
    asked.push(`${path} ${JSON.parse(body).method}`)
    return '{"result":null}'
  })
  const all = Object.values(services).flatMap(({ paths, methods }) => methods.map(({ name }) => ({ path: paths[0], name })))
  for (const { name } of all) await call(name as MethodName).catch(() => {})
  expect(asked).toEqual(all.map(({ path, name }) => `${path} ${name}`))
})

test("calls go straight to the API, typed by the method's name", async () => {
  const call = directly()
  const { height } = await call("platform.getHeight")
  expectTypeOf(height).toEqualTypeOf<string>()
  expect(height).toBe("0")
  const info = serviceOf("info", call)
  expect(await info.getNetworkID()).toEqual({ networkID: "12345" })
})

test("calls go over HTTP just the same", async () => {
  await using server = await serve(localApi().api)
  expect(await httpClient(server.url)("platform.getHeight")).toEqual({ height: "0" })
})

test("an error is thrown with its number, code and data", async () => {
  await expect(directly()("platform.getTx", { txID: "nonsense" })).rejects.toMatchObject({
    code: "rpc.bad_param",
    message: expect.stringMatching(/^a parameter is not what it must be \(param: txID, /),
    data: { method: "platform.getTx", rpcCode: -32602, param: "txID" },
  })
})

test("a method that is not there is known to the compiler", async () => {
  // @ts-expect-error no such method
  await expect(directly()("platform.getNothing")).rejects.toMatchObject({ code: "rpc.unknown_method" })
})
