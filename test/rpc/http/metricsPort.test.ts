import { expect, test } from "vitest"
import { exchange, localApi, serve } from "../../fixtures/api.js"

test("with a port of their own, metrics are answered there, with the health pages, and nowhere else", async () => {
  await using server = await serve(localApi().api, { metrics: { host: "127.0.0.1", port: 0 } })
  const { metricsUrl = "" } = server
  expect(await (await fetch(metricsUrl)).text()).toContain("serac_chain_height 0")
  const inside = new URL(metricsUrl).origin
  const statusOf = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status
  expect(await statusOf(`${inside}/ext/health`)).toBe(200)
  expect(await statusOf(`${inside}/ext/health/readiness`)).toBe(200)
  expect(await statusOf(metricsUrl, { method: "HEAD" })).toBe(200)
  expect(await statusOf(metricsUrl, { method: "POST", body: "{}" })).toBe(405)
  expect(await statusOf(`${inside}/ext/bc/P`, { method: "POST", body: "{}" })).toBe(404)
  expect(await statusOf(`${server.url}/ext/metrics`)).toBe(404)
  expect(await statusOf(`${server.url}/ext/health`)).toBe(200)
})

test("the port of metrics is guarded against DNS rebinding too", async () => {
  await using server = await serve(localApi().api, { metrics: { host: "127.0.0.1", port: 0 } })
  const { port } = new URL(server.metricsUrl ?? "")
  const { status } = await exchange(server, { port: Number(port), path: "/ext/metrics", headers: { host: "evil.example" } })
  expect(status).toBe(403)
})
