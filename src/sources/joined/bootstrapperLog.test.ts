import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { ChainServer } from "../../../test/fixtures/chainServer.js"
import { simulatedGenesis } from "../../../test/simulator/simulatedGenesis.js"
import type { BootstrapNode } from "../../core/p2p/addressBook.js"
import { parseIpPort } from "../../core/p2p/ipPort.js"
import type { NodeID } from "../../core/types/id.js"
import { createLog } from "../../node/log.js"
import { startJoinedNode } from "./joinedNode.js"

const someID = "aa".repeat(20) as NodeID
const otherID = "bb".repeat(20) as NodeID

/** A node of a network that knows these bootstrappers, and the warnings in its log. */
async function warningsOf(server: ChainServer, bootstrappers: readonly BootstrapNode[], network = server.network) {
  const warnings: Record<string, unknown>[] = []
  const options = server.joinedNodeOptions("")
  const { rules, genesisText } = network
  const node = await startJoinedNode({
    ...options,
    join: { ...options.join, bootstrappers },
    dataDir: undefined,
    choice: { ...options.choice, networkID: rules.networkID, genesisText },
    log: createLog({
      level: "warn",
      form: "machines",
      now: Date.now,
      write: (line) => warnings.push(JSON.parse(line)),
    }),
  })
  onTestFinished(() => node.stop())
  return warnings
}

test("an HTTP port in place of the port of a peer is called one", async () => {
  const server = new ChainServer()
  await server.start()
  onTestFinished(() => server.stop())
  const http = createServer().listen(0, "127.0.0.1")
  onTestFinished(() => void http.close())
  await once(http, "listening")
  const { port } = http.address() as AddressInfo
  const warnings = await warningsOf(server, [{ nodeID: someID, address: parseIpPort(`127.0.0.1:${port}`) }])
  await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: 20_000, interval: 20 })
  expect(warnings[0]).toMatchObject({
    event: "a bootstrapper cannot be used",
    reason: expect.stringMatching(
      /^what answers there is no peer, perhaps an HTTP server \(HTTP has port 9650 by default, peers have 9651\): /,
    ),
  })
})

test("each bootstrapper that cannot be used is named once, with the reason", async () => {
  const server = new ChainServer()
  await server.start()
  onTestFinished(() => server.stop())
  const nobody = { nodeID: someID, address: parseIpPort("127.0.0.1:1") }
  const misnamed = { nodeID: otherID, address: server.address }
  const warnings = await warningsOf(server, [nobody, misnamed])
  const ofOtherNetwork = await warningsOf(
    server,
    [{ nodeID: server.identity.nodeID, address: server.address }],
    simulatedGenesis([server.identity.nodeID], 99_999),
  )
  await vi.waitFor(() => expect([warnings.length, ofOtherNetwork.length]).toEqual([2, 1]), { timeout: 20_000, interval: 20 })
  const event = "a bootstrapper cannot be used"
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        event,
        address: "127.0.0.1:1",
        reason: "nothing listens there (connect ECONNREFUSED 127.0.0.1:1)",
      }),
      expect.objectContaining({ event, reason: `another node answers there: ${server.nodeIDText}` }),
    ]),
  )
  expect(ofOtherNetwork).toEqual([
    expect.objectContaining({ event, nodeID: server.nodeIDText, reason: expect.stringContaining("network") }),
  ])
})
