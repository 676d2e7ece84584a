import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { silentLog } from "../src/core/lib/log.js"
import { LOCAL_ID } from "../src/core/networks/names.js"
import { toHexText } from "../src/core/types/hexText.js"
import { openStore } from "../src/datadir/openStore.js"
import { chainDir } from "../src/datadir/places.js"
import { startServing } from "../src/sources/served/serve.js"
import { replay } from "../src/sync/replay.js"
import { chainToReplay } from "../src/tools/chainToReplay.js"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import { likeAvalancheGo, startCopy, startTestProxy } from "../test/sync/followNodes.js"
import type { Report } from "./harness.js"

const BLOCKS = 10_000

/** Blocks per second that a copy follows from the API of another node, both in this process. */
export const followReports: readonly Report[] = [
  {
    name: "follow: blocks of a node's API",
    async run(print) {
      const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
      try {
        await replayInto(dir)
        const server = { dataDir: dir, dialect: "contract", isPublic: false, log: silentLog, http: { port: 0 } } as const
        const node = await startServing({ ...server, wall: () => Date.now() })
        const url = node.listening?.url ?? ""
        print(`follow: ${await rateOf(url)} blocks/s from the stream of a Serac node`)
        const index = await startTestProxy(url, ({ path }, response) => {
          if (!path.startsWith("/ext/bc/P/blocks")) return "pass"
          response.writeHead(404).end()
          return "done"
        })
        print(`follow: ${await rateOf(index.url)} blocks/s from an index, as of AvalancheGo with --index-enabled`)
        await index[Symbol.asyncDispose]()
        const heights = await startTestProxy(url, likeAvalancheGo)
        print(`follow: ${await rateOf(heights.url)} blocks/s height by height, as of AvalancheGo without an index`)
        await heights[Symbol.asyncDispose]()
        await node.stop()
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    },
  },
]

async function replayInto(dir: string): Promise<void> {
  const blocks = [...longChain(localNetwork(), BLOCKS)]
  const store = openStore(chainDir(dir), { isLazy: true })
  const genesisBlockID = blocks[0]?.parentID
  const chain = await chainToReplay(store, { networkID: LOCAL_ID, now: 2n ** 33n, genesisBlockID, trustSignatures: true })
  const entries = async function* () {
    for (const [place, { bytes }] of blocks.entries()) yield { text: toHexText(bytes), place }
  }
  await replay(entries(), chain, { now: Date.now })
  await store.close()
}

async function rateOf(url: string): Promise<string> {
  const started = performance.now()
  const copy = await startCopy([url])
  await copy.reaches(BigInt(BLOCKS))
  const seconds = (performance.now() - started) / 1000
  await copy[Symbol.asyncDispose]()
  return Math.round(BLOCKS / seconds).toLocaleString("en")
}
