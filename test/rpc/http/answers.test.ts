import { expect, test } from "vitest"
import { exchange, localApi, post, serve } from "../../fixtures/api.js"
import { HEIGHT, HEIGHT_ANSWER, P } from "./question.js"

const OTHER_CHAINS =
  "the C-Chain and L1s run beside a private chain with --plugin-dir, and not beside its copies, which forward calls to a node that runs them with --chain-proxy"

test("every name of the P-Chain leads to it, and nothing else does", async () => {
  await using server = await serve(localApi().api)
  for (const path of [P, "/ext/bc/11111111111111111111111111111111LpoYY", "/ext/bc/platform", "/ext/P", "/ext/platform"]) {
    expect(await post(server, path, HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  }
  expect(await post(server, `${P}?x=1`, HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  expect(await post(server, "/ext/bc/%50", HEIGHT)).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
  const unknown = [
    "/ext/bc/P/",
    "/ext/bc/p",
    "/ext/11111111111111111111111111111111LpoYY",
    "/ext/bc/C",
    "/ext/admin",
    "/ext/dev",
    "/",
  ]
  for (const path of unknown) {
    expect(await post(server, path, HEIGHT)).toMatchObject({
      status: 404,
      body: `404 page not found: nothing is served at this path; ${path.startsWith("/ext/bc/") ? OTHER_CHAINS : "/ext/openrpc.json lists what is"}\n`,
      headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff", "node-id": "NodeID-test" },
    })
  }
})

test("a path that is not clean is redirected with its query, for every HTTP method", async () => {
  await using server = await serve(localApi().api)
  for (const path of ["//ext/info?a=b", "/ext/./info?a=b", "/x/../ext//info?a=b"]) {
    expect(await post(server, path, HEIGHT)).toMatchObject({ status: 301, body: "", headers: { location: "/ext/info?a=b" } })
  }
  expect((await post(server, "/%zz", HEIGHT)).status).toBe(400)
})

test("an answer has the reference's headers, and its height", async () => {
  await using server = await serve(localApi().api)
  const { headers } = await post(server, P, HEIGHT)
  const { date, ...rest } = headers
  expect(date).toBeDefined()
  expect(rest).toEqual({
    "serac-height": "0",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(HEIGHT_ANSWER.length),
    "node-id": "NodeID-test",
    vary: "Origin",
    "x-content-type-options": "nosniff",
    connection: "close",
  })
})

test("text beyond ASCII is sent as UTF-8, in short and in long answers", async () => {
  await using server = await serve(localApi({ dialect: "avalanchego" }).api)
  for (const asset of ["żółw 🐢", "żółw 🐢".repeat(2000)]) {
    const got = await post(
      server,
      "/ext/bc/X",
      `{"jsonrpc":"2.0","method":"avm.getAssetDescription","params":{"assetID":"${asset}"},"id":1}`,
    )
    expect(JSON.parse(got.body).error.message).toBe(`asset '${asset}' not found`)
    expect(got.headers["content-length"]).toBe(String(Buffer.byteLength(got.body)))
  }
})

test("only answers of methods have the nosniff header", async () => {
  await using server = await serve(localApi().api)
  const sniffed = async (body: string) => (await post(server, P, body)).headers["x-content-type-options"]
  expect(await sniffed(HEIGHT)).toBe("nosniff")
  expect(
    await sniffed('{"jsonrpc":"2.0","method":"platform.getTx","params":{"txID":"11111111111111111111111111111111LpoYY"},"id":1}'),
  ).toBe("nosniff")
  for (const body of [
    "{",
    '{"jsonrpc":"2.0","method":"platform.nope","id":1}',
    '{"jsonrpc":"2.0","method":"platform.getTx","params":{"txID":5},"id":1}',
  ]) {
    expect(await sniffed(body)).toBeUndefined()
  }
})

test("only POST calls methods", async () => {
  await using server = await serve(localApi().api)
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const { status, body, headers } = await exchange(server, { method, path: P })
    expect({ status, body }).toEqual({ status: 405, body: `rpc: POST method required, received ${method}` })
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
    expect(headers.allow).toBeUndefined()
    expect(headers["x-content-type-options"]).toBeUndefined()
  }
  expect(await exchange(server, { method: "HEAD", path: P })).toMatchObject({
    status: 405,
    body: "",
    headers: { "content-length": "40" },
  })
})

test("the content type up to the first semicolon decides, in any letter case", async () => {
  await using server = await serve(localApi().api)
  for (const type of ["application/json", "application/json;", "Application/JSON; charset=utf-8", "application/json;x"]) {
    expect((await post(server, P, HEIGHT, { "content-type": type })).status).toBe(200)
  }
  for (const type of ["application/json ; charset=utf-8", "text/plain", "application/json-rpc", ""]) {
    expect(await post(server, P, HEIGHT, { "content-type": type })).toMatchObject({
      status: 415,
      body: `rpc: unrecognized Content-Type: ${type.split(";")[0]?.replace(/ $/, type.includes(" ;") ? " " : "")}`,
    })
  }
  expect(await exchange(server, { method: "POST", path: P }, HEIGHT)).toMatchObject({
    status: 415,
    body: "rpc: unrecognized Content-Type: ",
  })
})

test("before the chain is ready the P-Chain's path says so, and info answers", async () => {
  await using server = await serve(localApi({ isReady: () => false }).api)
  expect(await exchange(server, { method: "GET", path: P })).toMatchObject({
    status: 503,
    body: "API call rejected because chain is not done bootstrapping\n",
  })
  expect((await post(server, "/ext/info", '{"jsonrpc":"2.0","method":"info.getNetworkID","id":1}')).status).toBe(200)
  expect((await exchange(server, { path: "/ext/health" })).status).toBe(503)
  expect((await exchange(server, { path: "/ext/health/liveness" })).status).toBe(200)
})
