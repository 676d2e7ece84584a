import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printJson } from "../src/core/lib/json.js"
import { silentLog } from "../src/core/lib/log.js"
import { AVAX } from "../src/core/networks/params.js"
import { tables } from "../src/core/state/tables.js"
import { toHexText } from "../src/core/types/hexText.js"
import { devOf } from "../src/producer/dev.fixture.js"
import { Purse } from "../src/producer/funds/wallet.js"
import { accountsOf } from "../src/producer/keys/accounts.js"
import { type PrivateNode, startPrivateNode } from "../src/sources/private/privateNode.js"
import { digestOf } from "../src/tools/summary.js"
import { avalancheGoDigest } from "../test/goverify.js"
import type { Report } from "./harness.js"

const TXS = 1000
/** The number of clients, each of which issues a transaction when its last one is accepted. */
const CLIENTS = 4
const VALIDATORS = 1000
const DELEGATORS = 10
/** Number of ordinary validators besides those that are auto-renewed. */
const ORDINARY = 200
const YEAR = 365n * 86_400n

const limits = {
  "dynamic-fees-max-gas-capacity": "1000000000",
  "dynamic-fees-max-gas-per-second": "100000000",
  "dynamic-fees-target-gas-per-second": "50000000",
  "dynamic-fees-excess-conversion-constant": "2164043000",
}

interface OpenedNode {
  readonly chain: PrivateNode
  close(): Promise<void>
}

/** The options of a measured node. */
interface NodeChoice {
  readonly where: "memory" | "disk"
  readonly flags?: Readonly<Record<string, string>>
  readonly accounts?: number
  /** Whether the node adds rows for explorers. */
  readonly history?: "on" | "off"
}

/** A whole node with a private chain: store, read model, API. */
async function open({ where, flags = {}, accounts = 0, history = "on" }: NodeChoice): Promise<OpenedNode> {
  const dataDir = where === "disk" ? mkdtempSync(join(tmpdir(), "serac-bench-")) : undefined
  const wall = () => Date.now()
  const chain = await startPrivateNode({
    dataDir,
    history,
    choice: { now: BigInt(Math.floor(wall() / 1000)), ruleFlags: flags },
    dialect: "contract",
    isPublic: false,
    http: { port: 0 },
    producer: { accounts: { count: accounts, balance: AVAX }, poolGas: 1_000_000_000n },
    log: silentLog,
    wall,
  })
  return {
    chain,
    async close() {
      await chain.stop()
      if (dataDir !== undefined) rmSync(dataDir, { recursive: true })
    },
  }
}

/** The calls that issue one payment of each account to itself. */
function callsOf({ privateChain, data }: PrivateNode): string[] {
  const { latest } = privateChain!.options.store
  const price = privateChain!.treasury.price(privateChain!.now())
  return accountsOf({ count: TXS }).map((key) => {
    const purse = new Purse(latest, key, data.rules, { now: privateChain!.now() })
    const { bytes } = purse.pay({ amount: 0n, make: (parts) => ({ kind: "BaseTx", ...parts }) }, price)
    return printJson({ jsonrpc: "2.0", id: 1, method: "platform.issueTx", params: { tx: toHexText(bytes) } })
  })
}

/** Issues all transactions, a number of them at a time. Milliseconds from issue to accepted, sorted, and in all. */
async function issueAll(calls: readonly string[], issue: (body: string) => Promise<string>) {
  const waits: number[] = []
  const start = performance.now()
  let next = 0
  const client = async () => {
    for (let at = next++; at < calls.length; at = next++) {
      const begin = performance.now()
      const answer = await issue(calls[at]!)
      if (!answer.includes('"txID"')) throw new Error(answer)
      waits.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { waits: waits.sort((a, b) => a - b), total: performance.now() - start }
}

const agent = new Agent({ keepAlive: true })

function postTo(url: string): (body: string) => Promise<string> {
  return (body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
      const sent = request(`${url}/ext/bc/P`, { method: "POST", agent, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk
        })
        response.on("end", () => resolve(text))
      })
      sent.on("error", reject).end(body)
    })
}

async function reportIssuing(where: "memory" | "disk", history: "on" | "off", print: (line: string) => void): Promise<void> {
  const { chain, close } = await open({ where, flags: limits, accounts: TXS, history })
  const direct = async (body: string) => Buffer.concat((await chain.api.handle("/ext/bc/P", Buffer.from(body)))!.body).toString()
  for (const [how, issue] of [
    ["in process", direct],
    ["over HTTP", postTo(chain.listening!.url)],
  ] as const) {
    const { waits, total } = await issueAll(callsOf(chain), issue)
    const at = (share: number) => waits[Math.floor(waits.length * share)]!.toFixed(1)
    const rate = Math.round((TXS / total) * 1000)
    print(
      `producer, ${TXS} transactions by ${CLIENTS} clients ${how}, ${where}, history ${history}: ${rate} accepted/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (aim 500/s, p50 10 ms)`,
    )
  }
  check(chain, limits, print)
  await close()
}

async function reportTravel(where: "memory" | "disk", print: (line: string) => void): Promise<void> {
  const { chain, close } = await open({ where })
  const dev = devOf(chain)
  const adding = performance.now()
  await dev.addValidators({ count: VALIDATORS, delegators: DELEGATORS, duration: YEAR - 86_400n })
  const added = performance.now() - adding
  const start = performance.now()
  const { blocks, rewarded } = await dev.setTime({ to: dev.now() + YEAR })
  const seconds = (performance.now() - start) / 1000
  const aim = where === "disk" ? 30 : 10
  print(
    `producer, a year with ${VALIDATORS} validators and ${VALIDATORS * DELEGATORS} delegators, ${where}: ${seconds.toFixed(1)} s for ${blocks} blocks, ${rewarded} rewards (aim ${aim} s); adding them took ${(added / 1000).toFixed(1)} s`,
  )
  check(chain, {}, print)
  await close()
}

/** A year of cycles of two days: validators that renew themselves, beside ordinary ones with many delegators. */
async function reportRenewals(where: "memory" | "disk", print: (line: string) => void): Promise<void> {
  const { chain, close } = await open({ where })
  const dev = devOf(chain)
  const delegators = (VALIDATORS * DELEGATORS) / ORDINARY
  await dev.addValidators({ count: ORDINARY, delegators, duration: YEAR - 86_400n })
  await dev.addValidators({ count: VALIDATORS, delegators: 0, autoRenew: { period: 2n * 86_400n, compoundShares: 500_000 } })
  const [start, used] = [performance.now(), process.cpuUsage()]
  const { blocks, rewarded } = await dev.setTime({ to: dev.now() + YEAR })
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(used)
  print(
    `producer, a year with ${VALIDATORS} auto-renewed validators of two-day periods beside ${ORDINARY} ordinary ones with ${ORDINARY * delegators} delegators, ${where}: ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor) for ${blocks} blocks, ${rewarded} rewards, ${((seconds / rewarded) * 1000).toFixed(2)} ms each`,
  )
  check(chain, {}, print)
  await close()
}

/** Has AvalancheGo's VM verify every made block, where it is installed (`SERAC_GOVERIFY`). */
function check({ privateChain }: PrivateNode, flags: Readonly<Record<string, string>>, print: (line: string) => void): void {
  const { store } = privateChain!.options
  const { latest } = store
  const digest = avalancheGoDigest(latest, { flags, upgrades: store.getMeta("upgrades") ?? "" })
  if (digest === undefined) return
  if (printJson(digest) !== printJson(digestOf(latest))) throw new Error("AvalancheGo comes to another state")
  print(`  AvalancheGo accepts all ${latest.get(tables.lastAccepted, null)?.height} blocks and comes to the same state`)
}

/** The speed of a private chain: from a transaction to its block, and for a year of staking. */
export const producerReports: readonly Report[] = [
  {
    name: "producer: issue",
    async run(print) {
      await reportIssuing("memory", "on", print)
      await reportIssuing("disk", "on", print)
    },
  },
  {
    name: "producer: history off",
    async run(print) {
      await reportIssuing("memory", "off", print)
      await reportIssuing("disk", "off", print)
    },
  },
  {
    name: "producer: time travel",
    async run(print) {
      await reportTravel("memory", print)
      await reportTravel("disk", print)
    },
  },
  {
    name: "producer: auto-renewed",
    async run(print) {
      await reportRenewals("memory", print)
    },
  },
]
