import { existsSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bigChain, PROMISED, shareOf } from "../../../bench/fixtures/bigChain.js"
import { silentLog } from "../../../src/core/lib/log.js"
import { identityText } from "../../../src/core/networks/chainIdentity.js"
import { LOCAL_ID } from "../../../src/core/networks/names.js"
import { privateChainUpgrades } from "../../../src/core/networks/upgrades.js"
import { READ_MODEL_VERSION } from "../../../src/core/readmodel/versions.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { nodeTables } from "../../../src/datadir/nodeTables.js"
import { openStore } from "../../../src/datadir/openStore.js"
import { upgradesText } from "../../../src/datadir/upgradesOfChain.js"
import { defaultClientLimits } from "../../../src/jsonrpc/http/options.js"
import { Meter } from "../../../src/jsonrpc/limits/meter.js"
import { RateLimiter } from "../../../src/jsonrpc/limits/rateLimiter.js"
import { startNode } from "../../../src/node/node.js"
import { startPrivateChain } from "../../../src/sources/private/privateNode.js"
import { servedNodeChain } from "../../../src/sources/served/serve.js"
import { MemoryStore } from "../../../src/store/memory/memoryStore.js"
import type { Question } from "./server.js"
import { TxMaker } from "./txMaker.js"

// Serves a large chain in a separate process, as a public node that makes blocks, in memory or on the disk, or as `serac serve --public`, and reports its use of CPU and
// memory to its parent. Its meters measure the CPU time of the process instead of elapsed time, so that charges do not depend on other processes.

const wall = performance.now.bind(performance)
const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
performance.now = cpuMilliseconds

const share = Number(process.argv[2] ?? 1)
const mode = process.argv[3] === "serve" ? "serve" : "dev"
const isOnDisk = process.argv[3] === "disk"
const size = shareOf(PROMISED, share)

const store = isOnDisk ? openStore(temporaryDirectory()) : new MemoryStore({ tables: nodeTables })
const chain = bigChain(store, size)
store.putMeta({
  readModel: READ_MODEL_VERSION,
  networkID: LOCAL_ID,
  identity: identityText({ kind: "private", id: "limits" }),
  genesis: chain.genesis.bytes(),
  genesisID: chain.genesis.block.id,
  rules: "{}",
  upgrades: upgradesText(privateChainUpgrades),
})
// The clock starts an hour after the last block, so that all gas is available.
const start = Number(chain.genesis.timestamp + chain.height) * 1000 + 3_600_000

/** A directory that is removed with this process. */
function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-limits-"))
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }))
  return join(dir, "chain")
}

/** The client whose requests are measured. */
const CLIENT = "127.0.0.1"

/** The units that this client was charged. */
let units = 0
const { take, charge } = RateLimiter.prototype
RateLimiter.prototype.take = function (client, price) {
  const seconds = take.call(this, client, price)
  if (seconds === undefined && client === CLIENT) units += price
  return seconds
}
RateLimiter.prototype.charge = function (client, price) {
  charge.call(this, client, price)
  if (client === CLIENT) units += price
}

/** Milliseconds that the requests of the other client took. */
let elsewhere = 0
const { charge: chargeTime } = Meter.prototype
Meter.prototype.charge = function (milliseconds) {
  chargeTime.call(this, milliseconds)
  if (this.client !== CLIENT) elsewhere += milliseconds
}

const options = {
  dialect: "contract" as const,
  isPublic: true,
  // Enough units that no request is refused: the test compares the charged units with the time that was used.
  http: { port: 0, limits: { ...defaultClientLimits, unitsPerSecond: 1e9, burst: 1e9 }, stopTimeout: 100 },
  log: silentLog,
  wall: () => start + Math.floor(wall()),
}
const producing =
  mode === "dev" ? await startPrivateChain(store, { ...options, choice: { now: BigInt(start / 1000) } }) : undefined
const node = producing ?? (await startNode(store, options, servedNodeChain))
node.failed.catch((error) => {
  throw error
})
const txs = producing && (await TxMaker.open(producing))

const schedule = `/proc/self/task/${process.pid}/schedstat`
const scheduleFile = existsSync(schedule) ? openSync(schedule, "r") : undefined
const scheduleText = Buffer.alloc(128)

/** The CPU time of the thread that runs the event loop, where the system reports it: other threads collect garbage and compile. */
function threadMilliseconds(): number {
  if (scheduleFile === undefined) return cpuMilliseconds()
  const length = readSync(scheduleFile, scheduleText, 0, scheduleText.length, 0)
  return Number(scheduleText.toString("latin1", 0, length).split(" ")[0]) / 1e6
}

// A timer that is due in every turn of the event loop: between two of its calls there is at most one long turn.
const TICK = 2
let [longest, last] = [0, threadMilliseconds()]
setInterval(() => {
  const now = threadMilliseconds()
  longest = Math.max(longest, now - last)
  last = now
}, TICK)

function answerTo(question: Question): unknown {
  if (question.ask === "txs") return txs?.make(question.what, question.size, question.count).map((bytes) => toHexText(bytes))
  const usage = {
    cpu: cpuMilliseconds() - elsewhere,
    thread: threadMilliseconds() - elsewhere,
    rss: process.memoryUsage.rss(),
    units,
    longest,
  }
  longest = 0
  return usage
}

process.on("message", (question: Question) => process.send?.(answerTo(question)))
process.on("disconnect", () => process.exit())
process.send?.({
  port: node.listening?.port,
  addresses: chain.addresses,
  nodeIDs: chain.nodeIDs,
  txIDs: chain.txIDs,
  height: Number(chain.height),
})
