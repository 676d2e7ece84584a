import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { explorerRows } from "../../../test/fixtures/ownedHistory.js"
import type { GenesisConfig } from "../../core/genesis/config.js"
import { configToJson } from "../../core/genesis/configJson.js"
import { localConfig } from "../../core/genesis/local.js"
import { printJson } from "../../core/lib/json.js"
import { silentLog } from "../../core/lib/log.js"
import { clearExplorer, hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { nodeIDText } from "../../core/types/id.js"
import { openStore } from "../../datadir/openStore.js"
import { chainDir } from "../../datadir/places.js"
import { bringUpHistory } from "../../datadir/readModel.js"
import { bls } from "../../platform/backends.js"
import { type PrivateNodeOptions, startPrivateNode } from "./privateNode.js"

const NETWORK = 9_876
const START = 1_794_600_000n
const good = localConfig(NETWORK, START)
const [first, second, ...others] = good.initialStakers as [Staker, Staker, ...Staker[]]
type Staker = GenesisConfig["initialStakers"][number]
/** The second validator shows the proof of the first. */
const bad: GenesisConfig = {
  ...good,
  initialStakers: [
    first,
    { ...second, signer: { ...second.signer!, proofOfPossession: first.signer!.proofOfPossession } },
    ...others,
  ],
}

function optionsOf(config: GenesisConfig, dataDir: string, resets = false): PrivateNodeOptions {
  const now = START + 1000n
  return {
    dataDir,
    choice: { networkID: NETWORK, genesisText: printJson(configToJson(config)), now, resets },
    dialect: "contract",
    isPublic: false,
    producer: { isFrozen: true, startTime: now },
    log: silentLog,
    wall: () => Number(now) * 1000,
  }
}

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-proofs-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const height = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'
const mine = '{"jsonrpc":"2.0","id":1,"method":"dev.mine","params":{"blocks":1,"filler":true}}'

async function ask(node: Awaited<ReturnType<typeof startPrivateNode>>, path: string, body: string): Promise<string> {
  const reply = await node.api.handle(path, Buffer.from(body))
  return Buffer.concat(reply?.body ?? []).toString()
}

test("reads are answered before the proofs of the genesis are verified, and no block is made on a genesis with an invalid proof", async () => {
  const dataDir = directory()
  const node = await startPrivateNode(optionsOf(bad, dataDir))
  expect(await ask(node, "/ext/bc/P", height)).toContain('"height":"0"')
  const mined = ask(node, "/ext/dev", mine)
  const refusal = { code: "genesis.bad_proof", data: { nodeID: nodeIDText(second.nodeID) } }
  await expect(node.failed).rejects.toMatchObject(refusal)
  await expect(node.begun).rejects.toMatchObject(refusal)
  expect(await mined).toContain("the proof of possession of a validator is invalid")
  expect(node.height()).toBe(0n)
  await node.stop()
  // The file was corrected: its chain takes the place of the one that never began.
  const corrected = await startPrivateNode(optionsOf(good, dataDir))
  await corrected.begun
  expect(await ask(corrected, "/ext/dev", mine)).toContain('"height":"1"')
  await corrected.stop()
})

test("the history of a genesis file, which is added after its proofs are verified, is complete when the chain begins", async () => {
  const dataDir = directory()
  const node = await startPrivateNode(optionsOf(good, dataDir))
  await node.begun
  expect(await ask(node, "/ext/dev", mine)).toContain('"height":"1"')
  await node.stop()
  const store = openStore(chainDir(dataDir))
  const kept = explorerRows(store.latest)
  expect(hasExplorerRows(store.latest)).toBe(true)
  clearExplorer(store)
  bringUpHistory(store, node.data.genesis, "on", silentLog)
  expect(explorerRows(store.latest)).toEqual(kept)
  await store.close()
})

test("the verdict is stored with the ID of the genesis, and later starts verify nothing", async () => {
  const dataDir = directory()
  const verified = vi.spyOn(bls(), "arePossessions")
  onTestFinished(() => verified.mockRestore())
  const startOnce = async (resets: boolean) => {
    const node = await startPrivateNode(optionsOf(good, dataDir, resets))
    await node.begun
    await node.stop()
    return node.data.genesis.id
  }
  const id = await startOnce(false)
  expect(verified).toHaveBeenCalledTimes(1)
  await startOnce(false)
  await startOnce(true)
  expect(verified).toHaveBeenCalledTimes(1)
  const store = openStore(chainDir(dataDir))
  expect([store.getMeta("provenGenesis"), store.getMeta("unprovenGenesis")]).toEqual([id, undefined])
  await store.close()
})

test("a node that is stopped before the verdict verifies again at its next start", async () => {
  const dataDir = directory()
  const node = await startPrivateNode(optionsOf(good, dataDir))
  const begun = expect(node.begun).rejects.toMatchObject({ code: "node.stopped" })
  await node.stop()
  await begun
  const store = openStore(chainDir(dataDir))
  expect(store.getMeta("unprovenGenesis")).toBe(node.data.genesis.id)
  await store.close()
})
