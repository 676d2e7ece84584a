import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

test("a healthy node exits with 0, also when it is named by its port", async () => {
  await using devnet = await startDevnet()
  const healthy = { code: 0, stdout: "healthy\n", stderr: "" }
  expect(await run(["health", "--url", `${devnet.url}/`])).toEqual(healthy)
  expect(await run(["health", "--ready", "--http-port", new URL(devnet.url).port])).toEqual(healthy)
  expect(await run(["health", "--alive", "--url", devnet.url])).toEqual(healthy)
  expect((await run(["health", "--alive", "--ready"])).stderr).toContain("cli.flag_without_effect: ")
  const { code, stdout } = await run(["health", "--json", "--url", `${devnet.url}/ext/bc/P`])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, healthy: true, checks: { bootstrapped: {} } })
})

test("an unhealthy node exits with 1, and its failing checks are named", async () => {
  const report = { healthy: false, checks: { bootstrapped: { message: [] }, database: { error: "store.disk_full: no room" } } }
  const server = createServer((_request, response) => response.writeHead(503).end(JSON.stringify(report)))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, stdout, stderr } = await run(["health", "--url", url])
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  expect(stderr).toContain("cli.not_healthy: the node is not healthy")
  expect(stderr).toContain("database: store.disk_full: no room")
  const outcome = await run(["health", "--json", "--url", url])
  expect({ ...outcome, stdout: JSON.parse(outcome.stdout) }).toEqual({ code: 1, stdout: report, stderr })
})

test("an address that is not a node's gets another message than an unhealthy node", async () => {
  const server = createServer((_request, response) => response.writeHead(404).end("nothing here\n"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { code, stderr } = await run(["health", "--http-port", String((server.address() as AddressInfo).port)])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^serac: cli\.not_a_node: .*status: 404, answer: nothing here\)\n$/)])
})

test("where no node answers, the line says so", async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const { code, stderr } = await run(["health", "--http-port", String(port)])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^serac: cli\.no_answer: no node answers there.*ECONNREFUSED/)
})
