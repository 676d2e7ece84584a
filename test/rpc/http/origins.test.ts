import { describe, expect, test } from "vitest"
import { services } from "../../../src/client/services.js"
import type { PrivateChain } from "../../../src/producer/privateChain.js"
import { exchange, localApi, post, raw, serve, type TestServer } from "../../fixtures/api.js"
import { HEIGHT, P, requestText } from "./question.js"

test("foreign host names are refused before the path is looked up; pages of other origins can read the refusal", async () => {
  await using server = await serve(localApi().api)
  const headers = { host: "evil.example", origin: "https://evil.example" }
  for (const path of [P, "/nowhere"]) {
    expect(await post(server, path, HEIGHT, headers)).toMatchObject({
      status: 403,
      body: "invalid host specified: this server does not answer to evil.example; --http-allowed-hosts evil.example allows it\n",
      headers: { "access-control-allow-origin": "*", "x-content-type-options": "nosniff" },
    })
  }
  await using other = await serve(localApi({ dialect: "avalanchego" }).api)
  expect(await post(other, P, HEIGHT, headers)).toMatchObject({ status: 403, body: "invalid host specified\n" })
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

test("pages of other origins may not call the dev interface", async () => {
  const { api } = localApi({ privateChain: {} as PrivateChain })
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

describe("pages of foreign origins may read but not write", () => {
  const evil = [
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "chrome-extension.example://localhost",
    "tauri://localhost",
  ]
  const trusted = ["http://localhost:5173", "https://127.0.0.1", "http://[::1]:3000", "https://app.example"]
  const callOf = (name: string) => `{"jsonrpc":"2.0","id":1,"method":"${name}","params":{}}`
  const writing = [...services.keystore.methods.map(({ name }) => name), "platform.issueTx"]
  const pathOf = (name: string) => (name.startsWith("keystore.") ? "/ext/keystore" : P)

  async function codeOf(server: TestServer, name: string, headers: Record<string, string>, isBatch = false): Promise<unknown> {
    const { status, body } = await post(server, pathOf(name), isBatch ? `[${callOf(name)}]` : callOf(name), headers)
    expect(status).toBe(200)
    const reply = JSON.parse(body)
    return (isBatch ? reply[0] : reply).error?.data?.code
  }

  test("they are refused at the method, alone and in a batch, with the flag that allows it", async () => {
    await using server = await serve(localApi().api, { allowedOrigins: ["*"] })
    for (const name of writing) {
      for (const origin of evil) {
        expect([name, origin, await codeOf(server, name, { origin })]).toEqual([name, origin, "rpc.foreign_origin"])
      }
      expect(await codeOf(server, name, { origin: "https://evil.example" }, true)).toBe("rpc.foreign_origin")
    }
    const { body, headers } = await post(server, P, callOf("platform.issueTx"), { origin: "https://evil.example" })
    expect(JSON.parse(body).error).toMatchObject({
      message: expect.stringContaining("--http-allowed-origins"),
      data: { method: "platform.issueTx", origin: "https://evil.example", flag: "--http-allowed-origins" },
    })
    expect(headers["access-control-allow-origin"]).toBe("*")
  })

  test("browser extensions are programs that the user installed, and may write, but not use the dev interface", async () => {
    await using server = await serve(localApi().api)
    for (const origin of ["chrome-extension://localhost", "moz-extension://localhost", "safari-web-extension://localhost"]) {
      for (const name of writing) expect(await codeOf(server, name, { origin })).not.toBe("rpc.foreign_origin")
      expect((await post(server, "/ext/dev", callOf("dev.status"), { origin })).status).not.toBe(200)
    }
  })

  test("AvalancheGo's dialect refuses them, too", async () => {
    await using server = await serve(localApi({ dialect: "avalanchego" }).api)
    const { body } = await post(server, P, callOf("platform.issueTx"), { origin: "https://evil.example" })
    expect(JSON.parse(body).error.message).toContain("--http-allowed-origins")
  })

  test("they may call every method that only reads", async () => {
    await using server = await serve(localApi().api)
    for (const { name } of services.platform.methods.filter((method) => method.name !== "platform.issueTx")) {
      expect([name, await codeOf(server, name, { origin: "https://evil.example" })]).not.toEqual([name, "rpc.foreign_origin"])
    }
  })

  test("pages of this machine, of named origins and of the server itself may write, and programs, which have no origin", async () => {
    const options = { allowedOrigins: ["*", "https://app.example"], allowedHosts: ["localhost", "node.example"] }
    await using server = await serve(localApi().api, options)
    for (const name of writing) {
      for (const headers of [
        ...trusted.map((origin) => ({ origin })),
        { origin: "https://node.example", host: "node.example" },
        { origin: "http://10.0.0.7:9650", host: "10.0.0.7:9650" },
        {},
      ]) {
        expect([name, headers, await codeOf(server, name, headers)]).not.toEqual([name, headers, "rpc.foreign_origin"])
      }
    }
  })

  test("a page whose host name resolves to this machine is still foreign, even if every host is allowed", async () => {
    await using server = await serve(localApi().api, { allowedHosts: ["*"] })
    const headers = { origin: "http://evil.example:9650", host: "evil.example:9650" }
    for (const name of writing) expect(await codeOf(server, name, headers)).toBe("rpc.foreign_origin")
  })

  test("a preflight for the keystore is answered as any other, as it was recorded", async () => {
    await using server = await serve(localApi().api)
    const asked = { origin: "https://evil.example", "access-control-request-method": "POST" }
    const [keystore, platform] = await Promise.all(
      ["/ext/keystore", P].map((path) => exchange(server, { method: "OPTIONS", path, headers: asked })),
    )
    expect({ ...keystore!.headers, date: "" }).toEqual({ ...platform!.headers, date: "" })
    expect(keystore!.headers["access-control-allow-origin"]).toBe("*")
  })
})
