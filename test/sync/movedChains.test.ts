import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { blockBytesAt } from "../../src/core/blocks/acceptedBlocks.js"
import { outerBytesAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import { printJson } from "../../src/core/lib/json.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import type { Node } from "../../src/node/node.js"
import { startJoinedNode } from "../../src/sources/joined/joinedNode.js"
import { digestOf } from "../../src/tools/summary.js"
import { ChainServer } from "../fixtures/chainServer.js"
import { run } from "../terminal.js"
import { startCopy } from "./followNodes.js"

const folder = mkdtempSync(join(tmpdir(), "serac-moved-"))
const server = new ChainServer()

beforeAll(() => server.start())
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Joins the network of the server, and follows it up to its last block. */
async function joined(dataDir: string, use: (node: Node) => unknown = () => {}): Promise<void> {
  const node = await startJoinedNode({ ...server.joinedNodeOptions(dataDir), http: { port: 0 } })
  onTestFinished(() => node.stop())
  await vi.waitFor(() => expect([node.height(), node.api.node.isBootstrapped?.()]).toEqual([server.height, true]), 30_000)
  await use(node)
  await node.stop()
}

/** Exports the blocks of a directory, changed if that is asked for, and replays them into a new one. */
async function moved(dataDir: string, { change = (text: string) => text, flags = [] as string[] } = {}) {
  const [file, to] = [join(mkdtempSync(join(folder, "file-")), "blocks.txt"), mkdtempSync(join(folder, "to-"))]
  writeFileSync(file, change((await run(["export", "blocks", "--data-dir", dataDir])).stdout))
  const replayed = await run(["replay", "--blocks", file, "--data-dir", to, ...flags], { now: Date.now })
  return { ...replayed, to }
}

/** The state of a chain, and every block with its wrapper. */
async function contentOf(dataDir: string) {
  const store = openStore(chainDir(dataDir), { readOnly: true })
  const heights = Array.from({ length: Number(server.height) }, (_, i) => BigInt(i + 1))
  const content = {
    digest: printJson(digestOf(store.latest)),
    blocks: heights.map((height) => outerBytesAt(store.latest, height)),
  }
  await store.close()
  return content
}

const kindOf = async (dataDir: string) =>
  JSON.parse((await run(["state", "--data-dir", dataDir, "--json"])).stdout) as { kind: string; chainID: string }

describe("a chain that is moved by export and replay", () => {
  test("of a joined node is the whole chain: the node goes on with its network, and joins at once", async () => {
    const dataDir = join(folder, "joined")
    server.make(40)
    await joined(dataDir)
    const { code, to } = await moved(dataDir)
    expect(code).toBe(0)
    expect(await contentOf(to)).toEqual(await contentOf(dataDir))
    expect([await kindOf(to), (await kindOf(to)).kind]).toEqual([await kindOf(dataDir), "joined"])
    let isFetchedAgain = false
    // The whole chain takes three answers, its new blocks one.
    void server.answered("getAncestors", 2).then(() => {
      isFetchedAgain = true
    })
    server.make(3)
    await joined(to)
    expect(isFetchedAgain).toBe(false)
    await joined(dataDir)
    expect(await contentOf(to)).toEqual(await contentOf(dataDir))
  })

  test("without its wrappers is refused where it would join: the network knows its blocks by them", async () => {
    const dataDir = join(folder, "bare")
    server.make(2)
    await joined(dataDir)
    const store = openStore(chainDir(dataDir), { readOnly: true })
    const heights = Array.from({ length: Number(server.height) }, (_, i) => BigInt(i + 1))
    const bare = heights.map((height) => toHexText((blockBytesAt(store.latest, height) as { bytes: Uint8Array }).bytes))
    await store.close()
    const change = (text: string) => [...text.split("\n").slice(0, 2), ...bare].join("\n")
    const { code, to } = await moved(dataDir, { change })
    expect(code).toBe(0)
    await expect(startJoinedNode(server.joinedNodeOptions(to))).rejects.toMatchObject({ code: "node.no_wrappers" })
  })

  test("of a private chain, a fork, and a copy of a network comes back as what it was", async () => {
    const dirs = { private: join(folder, "private"), fork: join(folder, "fork"), followed: join(folder, "followed") }
    await (await startDevnet({ port: false, dataDir: dirs.private })).stop()
    await (await startDevnet({ port: false, fork: dirs.private, dataDir: dirs.fork, accounts: 2 })).stop()
    const network = join(folder, "source")
    await joined(network, async (node) => {
      await using copy = await startCopy([node.listening?.url as string], dirs.followed)
      await copy.reaches(server.height)
    })
    for (const [kind, dataDir] of Object.entries(dirs)) {
      const { code, to } = await moved(dataDir)
      expect([kind, code, (await kindOf(to)).kind]).toEqual([kind, 0, kind])
      expect((await kindOf(to)).chainID).toBe((await kindOf(dataDir)).chainID)
    }
  })

  test("of a private chain from a file of an older version, which names neither kind nor rules, starts with --kind private", async () => {
    const dataDir = join(folder, "old")
    await (await startDevnet({ port: false, dataDir, accounts: 2 })).stop()
    const older = (text: string) =>
      text
        .split("\n")
        .filter((line) => !/^(chain|genesis) /.test(line))
        .join("\n")
    const { code, to } = await moved(dataDir, { change: older, flags: ["--kind", "private", "--upgrade", "helicon"] })
    expect([code, (await kindOf(to)).kind]).toEqual([0, "private"])
    await (await startDevnet({ port: false, dataDir: to })).stop()
    const refused = await moved(dataDir, { change: older, flags: ["--upgrade", "cortina"] })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--upgrade")])
  })
})
