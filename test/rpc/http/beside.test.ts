import { describe, expect, test } from "vitest"
import { exchange, localApi, post, serve } from "../../fixtures/api.js"
import { HEIGHT, P } from "./question.js"

describe("beside JSON-RPC", () => {
  test("health answers GET and POST, with the status code that deployment tools read", async () => {
    await using server = await serve(localApi().api)
    const got = await exchange(server, { path: "/ext/health" })
    expect(got).toMatchObject({ status: 200, headers: { "content-type": "application/json" } })
    expect(JSON.parse(got.body)).toMatchObject({ checks: { bootstrapped: { message: [] } }, healthy: true })
    expect((await exchange(server, { method: "HEAD", path: "/ext/health" })).status).toBe(405)
    for (const method of ["GET", "HEAD", "POST", "PUT"]) {
      for (const question of ["health", "readiness", "liveness"]) {
        expect((await exchange(server, { method, path: `/ext/health/${question}?tag=x` })).status).toBe(200)
      }
    }
    expect(JSON.parse((await exchange(server, { path: "/ext/health/liveness" })).body)).toEqual({ checks: {}, healthy: true })
    const { body } = await post(
      server,
      "/ext/health",
      '{"jsonrpc":"2.0","method":"health.readiness","params":{"tags":["x"]},"id":1}',
    )
    expect(JSON.parse(body)).toMatchObject({ result: { checks: { bootstrapped: { message: [] } }, healthy: true } })
  })

  test("metrics count calls and responses", async () => {
    await using server = await serve(localApi().api)
    await post(server, P, HEIGHT)
    await post(server, P, '{"jsonrpc":"2.0","method":"platform.getTx","params":{},"id":1}')
    const { status, headers, body } = await exchange(server, { path: "/ext/metrics" })
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" })
    const lines = body.split("\n")
    expect(lines).toContain('serac_rpc_requests_total{method="platform.getHeight",outcome="ok"} 1')
    expect(lines).toContain('serac_rpc_requests_total{method="platform.getTx",outcome="error"} 1')
    expect(lines).toContain('serac_rpc_request_seconds_count{method="platform.getHeight"} 1')
    expect(lines).toContain('serac_http_responses_total{status="200"} 2')
    expect(lines).toContain("serac_chain_height 0")
    expect(lines).toContain("serac_mempool_transactions 0")
    expect(body).toMatch(/serac_event_loop_lag_seconds\{share="0.99"\} \d/)
  })

  test("the description of the API is served and discovered", async () => {
    await using server = await serve(localApi().api)
    const page = await exchange(server, { path: "/ext/openrpc.json" })
    expect(page).toMatchObject({ status: 200, headers: { "content-type": "application/json" } })
    expect(JSON.parse(page.body).openrpc).toBe("1.3.2")
    for (const path of [P, "/ext/info", "/ext/keystore", "/ext/bc/X", "/ext/health"]) {
      const { body } = await post(server, path, '{"jsonrpc":"2.0","method":"rpc.discover","id":1}')
      expect(JSON.parse(body).result).toEqual(JSON.parse(page.body))
    }
    expect((await exchange(server, { method: "POST", path: "/ext/openrpc.json" })).status).toBe(405)
    const { servers, methods } = JSON.parse(page.body)
    expect(servers).toEqual([{ name: "local", url: server.url }])
    expect(methods[0].servers).toEqual([{ name: "platform", url: `${server.url}${P}` }])
    await using other = await serve(localApi({ dialect: "avalanchego" }).api)
    expect((await exchange(other, { path: "/ext/openrpc.json" })).status).toBe(404)
  })

  test("the description names the address that the client used", async () => {
    await using server = await serve(localApi().api)
    const urlFor = async (headers: Record<string, string>) =>
      JSON.parse((await exchange(server, { path: "/ext/openrpc.json", headers })).body).servers[0].url
    expect(await urlFor({ host: "localhost:1234" })).toBe("http://localhost:1234")
    expect(await urlFor({ host: "localhost", "x-forwarded-proto": "https" })).toBe("https://localhost")
  })

  test("rpc.discover names the address that each client used, also where clients take turns", async () => {
    await using server = await serve(localApi().api)
    const body = '{"jsonrpc":"2.0","method":"rpc.discover","id":1}'
    for (const host of ["localhost:1", "localhost:2", "localhost:2", "localhost:1"]) {
      const answer = await post(server, P, body, { host })
      expect(JSON.parse(answer.body).result.servers[0].url).toBe(`http://${host}`)
    }
  })

  test("the description lists the methods that the server answers, and no other", async () => {
    const namesOf = (body: string): string[] => JSON.parse(body).methods.map(({ name }: { name: string }) => name)
    for (const isPublic of [false, true]) {
      await using server = await serve(localApi({ isPublic }).api)
      const listed = namesOf((await exchange(server, { path: "/ext/openrpc.json" })).body)
      const isListed = (name: string) => [name, listed.includes(name)]
      expect(["platform.getHeight", "dev.status", "keystore.listUsers", "info.getNodeID"].map(isListed)).toEqual([
        ["platform.getHeight", true],
        ["dev.status", false],
        ["keystore.listUsers", !isPublic],
        ["info.getNodeID", !isPublic],
      ])
    }
  })

  test("wallets get AVAX and its fees at the path of the X-Chain", async () => {
    const { api, node } = localApi()
    await using server = await serve(api)
    const ask = async (path: string, method: string, params = "{}") =>
      JSON.parse((await post(server, path, `{"jsonrpc":"2.0","method":"${method}","params":${params},"id":1}`)).body)
    const avax = await ask("/ext/bc/X", "avm.getAssetDescription", '{"assetID":"AVAX"}')
    expect(avax.result).toEqual({
      assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
      name: "Avalanche",
      symbol: "AVAX",
      denomination: "9",
    })
    expect(await ask("/ext/bc/X", "avm.getAssetDescription", `{"assetID":"${avax.result.assetID}"}`)).toEqual(avax)
    expect(node.genesis.avaxAssetID).toBeDefined()
    for (const path of ["/ext/X", "/ext/avm", "/ext/bc/avm", "/ext/bc/2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"]) {
      expect((await ask(path, "avm.getTxFee", "[]")).result).toEqual({ txFee: "1000000", createAssetTxFee: "1000000" })
    }
    expect((await ask("/ext/bc/X", "avm.getHeight")).result).toEqual({ height: "0" })
    expect((await ask("/ext/bc/X", "avm.getTx")).error.code).toBe(-32601)
  })

  test("unknown assets are refused in AvalancheGo's words", async () => {
    await using server = await serve(localApi({ dialect: "avalanchego" }).api)
    const ask = async (params: string) =>
      JSON.parse(
        (await post(server, "/ext/bc/X", `{"jsonrpc":"2.0","method":"avm.getAssetDescription","params":${params},"id":1}`)).body,
      ).error.message
    expect(await ask('{"assetID":"nope"}')).toBe("asset 'nope' not found")
    expect(await ask("{}")).toBe("asset '' not found")
    expect(await ask('{"assetID":"11111111111111111111111111111111LpoYY"}')).toBe("not found")
  })

  test("the wrapper's height and epoch are answered under every name of the P-Chain", async () => {
    await using server = await serve(localApi().api)
    for (const path of [`${P}/proposervm`, "/ext/P/proposervm"]) {
      const ask = async (method: string) =>
        JSON.parse((await post(server, path, `{"jsonrpc":"2.0","method":"proposervm.${method}","id":1}`)).body)
      expect((await ask("getProposedHeight")).result).toEqual({ height: "0" })
      expect((await ask("getCurrentEpoch")).result).toEqual({ number: "1", startTime: "1794710000", pChainHeight: "0" })
    }
  })
})
