import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Block, decodeBlock, txsOf } from "../src/core/blocks/block.js"
import { printRfc3339 } from "../src/core/lib/go/rfc3339.js"
import type { Json } from "../src/core/lib/json.js"
import { silentLog } from "../src/core/lib/log.js"
import { LOCAL_ID } from "../src/core/networks/names.js"
import { READ_MODEL_VERSION } from "../src/core/readmodel/versions.js"
import { tables } from "../src/core/state/tables.js"
import type { View } from "../src/core/state/view.js"
import { addressText } from "../src/core/types/address.js"
import { toHexText } from "../src/core/types/hexText.js"
import { type ID, idText, nodeIDText } from "../src/core/types/id.js"
import { utxoID } from "../src/core/types/utxo.js"
import { openStore } from "../src/datadir/openStore.js"
import { chainDir } from "../src/datadir/places.js"
import { makeReadModel } from "../src/datadir/readModel.js"
import { openCopy } from "../src/datadir/storedChain.js"
import { platformMethods } from "../src/services/platform/index.js"
import { replay } from "../src/sync/replay.js"
import { chainToReplay } from "../src/tools/chainToReplay.js"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import { BUSY, payerAt, writePayments } from "../test/fixtures/paymentChain.js"
import { testNode } from "../test/fixtures/rpcNode.js"
import type { Report } from "./harness.js"

/** `SERAC_BENCH_TXS=1000000` measures the lists on a million transactions, which takes minutes to write. */
const TXS = Number(process.env.SERAC_BENCH_TXS ?? 100_000)
const TXS_PER_BLOCK = 50
const REPLAYED = 10_000
const ADDRESSES = 100
const CALLS = 200

const grouped = (value: number) => Math.round(value).toLocaleString("en")

/** Measurements of what explorers need: lists and past states, what they cost a replay, and exports. */
export const explorerReports: readonly Report[] = [
  { name: "history: lists and filters", run: reportLists },
  { name: "history: replay with and without it", run: reportReplay },
  { name: "history: memory of an export", run: reportExport },
]

/** Writes a chain of payments into a data directory. */
async function withPayments<T>(
  { txs, txsPerBlock, isMixed = false }: { readonly txs: number; readonly txsPerBlock: number; readonly isMixed?: boolean },
  use: (dir: string, seconds: number) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  try {
    const store = openStore(chainDir(dir), { isLazy: true })
    const data = openCopy(store, { networkID: LOCAL_ID, now: 2n ** 33n })
    makeReadModel(store, data.genesis, silentLog)
    store.putMeta({ readModel: READ_MODEL_VERSION })
    const started = performance.now()
    writePayments(store, data, { blocks: txs / txsPerBlock, txsPerBlock, addresses: ADDRESSES, isMixed })
    const seconds = (performance.now() - started) / 1000
    await store.close()
    return await use(dir, seconds)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function reportLists(print: (line: string) => void): Promise<void> {
  const small = await listTimes(TXS / 10, print)
  const large = await listTimes(TXS, print)
  for (const [name, micros] of large) {
    const before = small.get(name) ?? micros
    print(
      `history: ${name.padEnd(44)} ${before.toFixed(0).padStart(7)} µs on ${grouped(TXS / 10)} transactions, ${micros.toFixed(0).padStart(7)} µs on ${grouped(TXS)} (${(micros / before).toFixed(2)} times)`,
    )
  }
}

/** The median time of each question, microseconds. */
function listTimes(txs: number, print: (line: string) => void): Promise<ReadonlyMap<string, number>> {
  return withPayments({ txs, txsPerBlock: TXS_PER_BLOCK, isMixed: true }, async (dir, seconds) => {
    print(
      `history: ${grouped(txs)} transactions written in ${seconds.toFixed(0)} s with ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB of memory`,
    )
    const store = openStore(chainDir(dir), { readOnly: true })
    const { rules, genesis } = openCopy(store, { now: 0n })
    const node = testNode({ store, rules, genesis, methods: platformMethods })
    const times = new Map<string, number>()
    const height = store.latest.get(tables.lastAccepted, null)?.height ?? 0n
    for (const [name, method, paramsOf] of questions(height, genesis.timestamp, store.latest)) {
      const taken: number[] = []
      for (let i = 0; i < CALLS; i++) {
        const params = paramsOf(i)
        const started = performance.now()
        const { error } = await node.call(method, params)
        taken.push((performance.now() - started) * 1000)
        if (error) throw new Error(`${method}: ${error.message}`)
      }
      times.set(name, taken.sort((a, b) => a - b)[CALLS >> 1]!)
    }
    await store.close()
    return times
  })
}

type Question = readonly [name: string, method: string, params: (i: number) => Json]

function questions(height: bigint, start: bigint, view: View): readonly Question[] {
  const address = (i: number) => addressText(payerAt(i % ADDRESSES), "local")
  const heightOf = (i: number) => 1n + (BigInt(i * 7_919) % height)
  const timeOf = (i: number) => printRfc3339(start + heightOf(i))
  const limit = 25
  const busy = addressText(BUSY.address, "local")
  const many = { addresses: Array.from({ length: 64 }, (_, i) => address(i)) }
  const ofNode = { nodeID: nodeIDText(BUSY.nodeID) }
  return [
    ["newest transactions", "platform.getTxs", (i) => ({ limit: limit - (i % 3) })],
    [
      "transactions of a kind, in the middle",
      "platform.getTxs",
      (i) => ({ kinds: ["BaseTx"], cursor: `${heightOf(i)}-3`, limit }),
    ],
    ["transactions of a kind in a period", "platform.getTxs", (i) => ({ kinds: ["BaseTx"], to: timeOf(i), limit })],
    ["transactions of an absent kind", "platform.getTxs", (i) => ({ kinds: ["ImportTx"], to: timeOf(i), limit })],
    ["transactions of an address", "platform.getTxsByAddress", (i) => ({ address: address(i), limit })],
    [
      "the same of a kind, in the middle",
      "platform.getTxsByAddress",
      (i) => ({ address: address(i), kinds: ["BaseTx"], to: timeOf(i), limit }),
    ],
    [
      "transactions of five addresses",
      "platform.getTxsByAddress",
      (i) => ({ addresses: [0, 1, 2, 3, 4].map((j) => address(i * 5 + j)), limit }),
    ],
    ["transactions of 64 addresses, all kinds", "platform.getTxsByAddress", (i) => ({ ...many, to: timeOf(i), limit })],
    [
      "transactions of a kind that is there once",
      "platform.getTxs",
      (i) => ({ kinds: ["CreateSubnetTx"], to: timeOf(i), limit }),
    ],
    [
      "the same of 64 addresses",
      "platform.getTxsByAddress",
      (i) => ({ ...many, kinds: ["CreateSubnetTx"], to: timeOf(i), limit }),
    ],
    ["transactions about a subnet", "platform.getTxs", (i) => ({ subnetID: idText(BUSY.subnetID), limit: limit - (i % 3) })],
    ["the same in the middle", "platform.getTxs", (i) => ({ subnetID: idText(BUSY.subnetID), to: timeOf(i), limit })],
    [
      "about a node, of an absent kind, in a period",
      "platform.getTxs",
      (i) => ({ ...ofNode, kinds: ["ImportTx"], to: timeOf(i), limit }),
    ],
    [
      "about a node, of a kind, in a period",
      "platform.getTxs",
      (i) => ({ ...ofNode, kinds: ["BaseTx", "RemoveSubnetValidatorTx"], to: timeOf(i), limit }),
    ],
    ["transactions of a busy address", "platform.getTxsByAddress", (i) => ({ address: busy, limit: limit - (i % 3) })],
    [
      "the same of an absent kind, in a period",
      "platform.getTxsByAddress",
      (i) => ({ address: busy, kinds: ["BaseTx"], from: timeOf(i), to: timeOf(i), limit }),
    ],
    ["stakes of a busy address that has none", "platform.getStakesByAddress", (i) => ({ address: busy, limit: limit - (i % 3) })],
    [
      "rewards of a busy address that has none",
      "platform.getRewardsByAddress",
      (i) => ({ address: busy, limit: limit - (i % 3) }),
    ],
    ["balance of a busy address at a height", "platform.getBalanceAt", (i) => ({ address: busy, height: heightOf(i) })],
    ["UTXOs of a busy address at a height", "platform.getUTXOsAt", (i) => ({ address: busy, height: heightOf(i), limit })],
    ["validators that left, of which there are none", "platform.getFormerValidators", (i) => ({ limit: limit - (i % 3) })],
    ["a period without blocks", "platform.getTxs", (i) => ({ from: printRfc3339(start + height + 1n + BigInt(i)), limit })],
    ["a transaction with its parts", "platform.getTxInfo", (i) => ({ txID: idText(firstTx(view, heightOf(i))) })],
    ["blocks before a time", "platform.getBlocks", (i) => ({ to: timeOf(i), limit })],
    ["block by time", "platform.getBlockByTime", (i) => ({ time: timeOf(i) })],
    ["balance at a height", "platform.getBalanceAt", (i) => ({ address: address(i), height: heightOf(i) })],
    ["UTXOs at a height", "platform.getUTXOsAt", (i) => ({ address: address(i), height: heightOf(i), limit })],
    ["who spent a UTXO", "platform.getUTXOInfo", (i) => ({ utxoID: idText(utxoID(firstTx(view, heightOf(i)), 0)) })],
  ]
}

function firstTx(view: View, height: bigint): ID {
  const id = view.get(tables.blockIDs, height)
  const bytes = id && view.get(tables.blocks, id)
  const [first] = bytes ? txsOf(decodeBlock(bytes)) : []
  if (!first) throw new Error(`block ${height} has no transaction`)
  return first.id
}

async function reportReplay(print: (line: string) => void): Promise<void> {
  const blocks = [...longChain(localNetwork(), REPLAYED)]
  const rates = new Map<string, number[]>()
  for (const history of ["on", "off", "on", "off"] as const) {
    rates.set(history, [...(rates.get(history) ?? []), await replayRate(blocks, history)])
  }
  const best = (history: string) => Math.max(...(rates.get(history) ?? []))
  print(
    `history: replay of ${grouped(REPLAYED)} blocks, signatures trusted: ${grouped(best("on"))} blocks/s with it, ${grouped(best("off"))} blocks/s with --history off (${(best("on") / best("off")).toFixed(2)} times)`,
  )
}

/** Blocks per second. */
async function replayRate(blocks: readonly Block[], history: "on" | "off"): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const store = openStore(chainDir(dir), { isLazy: true })
  try {
    const choice = { networkID: LOCAL_ID, now: 2n ** 33n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true, history }
    const chain = await chainToReplay(store, choice)
    const entries = async function* () {
      for (const [place, { bytes }] of blocks.entries()) yield { text: toHexText(bytes), place }
    }
    const started = performance.now()
    await replay(entries(), chain, { now: Date.now })
    return (blocks.length * 1000) / (performance.now() - started)
  } finally {
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function reportExport(print: (line: string) => void): Promise<void> {
  for (const blocks of [10_000, 100_000]) {
    await withPayments({ txs: blocks, txsPerBlock: 1 }, async (dir) => {
      for (const what of ["blocks", "txs"]) print(`history: ${exportLine(dir, what, blocks)}`)
    })
  }
}

/** Reports the largest memory of a process at its end, in KiB, without the pages of files that it has mapped. */
const WATCH_MEMORY = `
import { readFileSync } from "node:fs"
let most = 0
const look = () => { most = Math.max(most, Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0)) }
setInterval(look, 20).unref()
process.on("exit", () => { look(); process.stderr.write(String(most)) })`

/** Runs `serac export` as a process of its own. */
function exportLine(dir: string, what: string, blocks: number): string {
  const preload = `data:text/javascript,${encodeURIComponent(WATCH_MEMORY)}`
  const args = ["--import", preload, resolve("bin/serac"), "export", what, "--data-dir", dir]
  const started = performance.now()
  const { stderr } = spawnSync("sh", ["-c", '"$@" | cat > /dev/null', "sh", process.execPath, ...args], { encoding: "utf8" })
  if (!/^\d+$/.test(stderr)) throw new Error(stderr)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `export ${what} of ${grouped(blocks)} blocks: ${(Number(stderr) / 1024).toFixed(0)} MiB at most, ${seconds} s`
}
