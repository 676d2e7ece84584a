import { expect, test } from "vitest"
import type { Dev } from "../../../src/producer/dev/dev.js"
import { exchange, localApi, post, raw, serve } from "../../fixtures/api.js"
import { HEIGHT, P, requestText } from "./question.js"

test("foreign host names are refused before anything is looked up; other origins hear of it", async () => {
  await using server = await serve(localApi().api)
  const headers = { host: "evil.example", origin: "https://evil.example" }
  for (const path of [P, "/nowhere"]) {
    expect(await post(server, path, HEIGHT, headers)).toMatchObject({
      status: 403,
      body: "invalid host specified\n",
      headers: { "access-control-allow-origin": "*", "x-content-type-options": "nosniff" },
    })
  }
  for (const host of ["localhost", "LOCALHOST:9650", "127.0.0.1:1", "[::1]:9650"]) {
    expect((await post(server, P, HEIGHT, { host })).status).toBe(200)
  }
})

test("a preflight is answered on any path and for any host", async () => {
  await using server = await serve(localApi().api)
  const headers = {
    host: "evil.example",
    origin: "https://app.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  }
  for (const path of [P, "/nowhere", "//x"]) {
    expect(await exchange(server, { method: "OPTIONS", path, headers })).toMatchObject({
      status: 200,
      body: "",
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "Content-Type",
        "access-control-allow-credentials": "true",
        "node-id": "NodeID-test",
        vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      },
    })
  }
})

test("the host of a whole address counts, as to a proxy", async () => {
  await using server = await serve(localApi().api)
  const ask = (address: string) => raw(server.port, requestText(HEIGHT, "Connection: close\r\n").replace(P, address + P))
  expect(await ask("http://localhost:9650")).toMatch(/^HTTP\/1.1 200 /)
  expect(await ask("http://evil.example")).toMatch(/^HTTP\/1.1 403 /)
})

test("pages of other origins may not touch the dev interface", async () => {
  const { api } = localApi({ dev: {} as Dev })
  await using server = await serve(api, { allowedOrigins: ["*", "https://lab.example"] })
  const preflight = async (origin: string) =>
    (
      await exchange(server, {
        method: "OPTIONS",
        path: "/ext/dev",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
      })
    ).headers["access-control-allow-origin"]
  expect(await preflight("https://evil.example")).toBeUndefined()
  expect(await preflight("https://lab.example")).toBe("https://lab.example")
  expect(await preflight("http://localhost:5173")).toBe("http://localhost:5173")
  const status = '{"jsonrpc":"2.0","method":"dev.nothing","id":1}'
  expect(await post(server, "/ext/dev", status, { origin: "https://evil.example" })).toMatchObject({ status: 403 })
  expect(await post(server, "/ext/dev", status, { origin: "null" })).toMatchObject({ status: 403 })
  expect(await post(server, "/ext/dev", status, { origin: "https://lab.example" })).toMatchObject({ status: 200 })
  expect(await post(server, "/ext/dev", status)).toMatchObject({ status: 200 })
})
