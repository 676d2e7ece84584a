import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { toHex, utf8 } from "../../src/core/lib/bytes.js"
import { silentLog } from "../../src/core/lib/log.js"
import { Diff } from "../../src/core/state/diff.js"
import { hashedTables, tables } from "../../src/core/state/tables.js"
import { P_CHAIN_ID } from "../../src/core/types/id.js"
import { topLevelUtxo } from "../../src/core/types/utxo.js"
import { clientOf } from "../../src/node/api.js"
import { devTables, hostedTables } from "../../src/producer/tables.js"
import { openNodeStore } from "../../src/sources/openChain.js"
import { startPrivateChain } from "../../src/sources/private/privateNode.js"
import { stateHash } from "../../src/store/maintenance/stateHash.js"
import type { MemoryRequest } from "../../src/vmhost/services/sharedMemory.js"
import { blockOf, composerOf, idOfUtxo, owner, requestsOf } from "../fixtures/atomicBlocks.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { scriptedPlugin } from "./hangs.js"
import type { AskedChange, LyingOrder } from "./lying.js"

const plugin = scriptedPlugin(new URL("lyingPlugin.fixture.ts", import.meta.url), "coreth")
const count = attempts(100)
const FUNDS = 50_000_000n * 10n ** 9n

/** Starts a private chain whose C-Chain is the plugin that lies. */
async function start() {
  const store = await openNodeStore(undefined, { log: silentLog })
  const orders = join(plugin.dir, "order")
  const config = utf8(JSON.stringify({ orders }))
  const node = await startPrivateChain(store, {
    ...{ pluginDir: plugin.pluginDir, choice: { now: 0n }, dialect: "contract", isPublic: false, log: silentLog },
    ...{ wall: () => Date.now(), cChain: { mode: "required", upgrade: "fortuna", paysAccounts: false, config } },
  })
  onTestFinished(() => node.stop())
  await node.l1s?.startCChain()
  const { cChainID: chainID, xChainID, avaxAssetID } = node.chain.data.genesis
  const composer = composerOf({ networkID: node.chain.data.rules.networkID, chainID, xChainID, avaxAssetID, funds: FUNDS })
  const call = clientOf(node.api)
  return {
    composer,
    call,
    /** Puts what the tests import, as a block of the P-Chain does. */
    putWaiting() {
      const diff = new Diff(store.latest)
      for (const utxo of composer.waiting) {
        const key = { receiver: chainID, sender: P_CHAIN_ID, utxoID: idOfUtxo(utxo) }
        diff.put(tables.atomicUtxos, key, { value: encode(topLevelUtxo, utxo), traits: [owner.address] })
      }
      node.privateChain.commitBeside(diff.edits)
    },
    tell(order: LyingOrder) {
      writeFileSync(`${orders}.new`, JSON.stringify(order))
      renameSync(`${orders}.new`, orders)
    },
    /** All that a lie may not change: the P-Chain, what is between the chains, what is recorded, and the rows of the VM. */
    state: () =>
      [...hashedTables, devTables.overrides, hostedTables.rows].map((table) => [table.name, stateHash(store.latest, [table])]),
    overrides: () => [...store.latest.rows(devTables.overrides)].length,
    cChain: async () => (await call("dev.status")).cChain,
  }
}

const hexOf = (requests: readonly MemoryRequest[]): AskedChange[] =>
  requests.map(({ peer, removes, puts }) => ({
    peer,
    removes: removes.map(toHex),
    puts: puts.map(({ key, value, traits }) => ({ key: toHex(key), value: toHex(value), traits: traits.map(toHex) })),
  }))

interface Told {
  readonly name: string
  readonly order: LyingOrder
  /** True if the block itself is told truly before the lie. */
  readonly isAfterTruth?: boolean
}

/** Returns every lie of the unit tests, over either connection, lies about the moment, and honest changes with one wrong byte. */
function liesOf({ lies, honest }: ReturnType<typeof composerOf>, random: Random): readonly Told[] {
  const honestBlock = blockOf(...honest)
  const [block, changes] = [toHex(honestBlock), hexOf(requestsOf(honestBlock))]
  const told = [false, true].flatMap((isElsewhere) =>
    lies.map(([name, txs, change]): Told => {
      const bytes = blockOf(...txs)
      const requests = hexOf(change(requestsOf(bytes)))
      return {
        name: `${name}${isElsewhere ? ", elsewhere" : ""}`,
        order: { block: toHex(bytes), asks: [{ at: "accept", requests, isElsewhere }] },
      }
    }),
  )
  const moments: readonly Told[] = [
    { name: "asks while it builds", order: { block, asks: [{ at: "build", requests: changes }] } },
    { name: "asks while it verifies", order: { block, asks: [{ at: "verify", requests: changes }] } },
    { name: "never asks", order: { block, asks: [] } },
    { name: "has a block of no bytes", order: { block: "", asks: [] } },
    { name: "has a block that is no list", order: { block: "83010203", asks: [{ at: "accept", requests: changes }] } },
    {
      name: "asks again later",
      isAfterTruth: true,
      order: {
        block,
        asks: [
          { at: "accept", requests: changes },
          { at: "later", requests: changes },
        ],
      },
    },
    {
      name: "asks twice",
      isAfterTruth: true,
      order: {
        block,
        asks: [
          { at: "accept", requests: changes },
          { at: "accept", requests: changes },
        ],
      },
    },
  ]
  const wrong = Array.from({ length: 100 - told.length - moments.length }, (_, i): Told => {
    const texts = JSON.stringify(changes).match(/"[0-9a-f]{2,}"/g) as string[]
    const chosen = random.pick(texts)
    const at = 1 + random.below(chosen.length - 2)
    const other = ((Number.parseInt(chosen[at] as string, 16) + 1 + random.below(15)) % 16).toString(16)
    const requests = JSON.parse(JSON.stringify(changes).replace(chosen, chosen.slice(0, at) + other + chosen.slice(at + 1)))
    return { name: `wrong byte ${i} in ${chosen}`, order: { block, asks: [{ at: "accept", requests }] } }
  })
  return [...told, ...moments, ...wrong]
}

test.runIf(process.platform !== "win32")(
  `${count} lies of a VM about its blocks end its chain, and change nothing`,
  { timeout: 60_000 + count * 5_000 },
  async () => {
    const random = new Random(seed("lies of a VM"))
    const node = await start()
    const all = liesOf(node.composer, random)
    expect(all).toHaveLength(100)
    const told = count === all.length ? all : Array.from({ length: count }, () => random.pick(all))
    for (const { name, order, isAfterTruth = false } of told) {
      node.putWaiting()
      const [before, overrides] = [node.state(), node.overrides()]
      node.tell(order)
      const failed = await vi.waitUntil(async () => {
        const cChain = await node.cChain()
        return cChain?.state === "restarting" && cChain
      }, 10_000)
      expect([name, failed.reason]).toEqual([name, expect.stringContaining("the VM of the chain is not true to its block")])
      // The import and the export of the honest block are one change.
      if (isAfterTruth) expect([name, node.overrides()]).toEqual([name, overrides + 1])
      else expect([name, node.state()]).toEqual([name, before])
      expect((await node.call("dev.startL1", { name: "C" })).state).toBe("running")
    }
    node.putWaiting()
    const overrides = node.overrides()
    const block = blockOf(...node.composer.honest)
    node.tell({ block: toHex(block), asks: [{ at: "accept", requests: hexOf(requestsOf(block)) }] })
    await vi.waitUntil(() => node.overrides() > overrides, 10_000)
    expect((await node.cChain())?.state).toBe("running")
  },
)
