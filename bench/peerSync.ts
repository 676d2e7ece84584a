import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startJoinedNode } from "../src/sources/joined/joinedNode.js"
import { ChainServer } from "../test/fixtures/chainServer.js"

const BLOCKS = 3_000

/** Joins one validator over TLS on loopback, in this process, and prints how many blocks a second are fetched, executed and written. */
export async function reportSync(print: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const server = new ChainServer({ blocksPerAnswer: 2_000 })
  server.make(BLOCKS)
  await server.start()
  const start = performance.now()
  const cpu = process.cpuUsage()
  const node = await startJoinedNode(server.joinedNodeOptions(dataDir))
  while (node.height() < server.height) await new Promise((resolve) => setTimeout(resolve, 5))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await node.stop()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const perSecond = Math.round(BLOCKS / seconds).toLocaleString("en")
  print(
    `peers: ${BLOCKS.toLocaleString("en")} blocks from one peer, fetched, executed, written: ${seconds.toFixed(2)} s, ${perSecond}/s; ` +
      `${((user + system) / BLOCKS).toFixed(0)} µs of processor time each, the peer's own included`,
  )
}
