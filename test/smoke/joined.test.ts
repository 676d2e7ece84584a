import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { startJoinedNode } from "../../src/sources/joined/joinedNode.js"
import { ChainServer } from "../fixtures/chainServer.js"

test("a node joins a network of one validator over TLS, catches up with it, and accepts its next blocks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "serac-smoke-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = new ChainServer()
  await server.start()
  onTestFinished(() => server.stop())
  server.make(20)
  const node = await startJoinedNode(server.joinedNodeOptions(join(folder, "node")))
  onTestFinished(() => node.stop())
  const untilCaughtUp = () => vi.waitFor(() => expect(node.height()).toBe(server.height), { timeout: 60_000, interval: 20 })
  await untilCaughtUp()
  server.make(2)
  await untilCaughtUp()
  expect(server.height).toBe(22n)
})
