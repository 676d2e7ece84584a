import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Chain } from "../src/core/chain/chain.js"
import { LOCAL_START_TIME } from "../src/core/genesis/local.js"
import { silentLog } from "../src/core/lib/log.js"
import { LOCAL_ID } from "../src/core/networks/names.js"
import { project } from "../src/core/readmodel/fold.js"
import { openPublisher } from "../src/datadir/openPublisher.js"
import { openStore } from "../src/datadir/openStore.js"
import { openCopy } from "../src/datadir/storedChain.js"
import { openDatabase } from "../src/postgres/connection.js"
import { untilPublished } from "../src/postgres/untilPublished.js"
import { acceptAll } from "../test/fixtures/goldenChain.js"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import { noPostgres, type PostgresServer, startPostgres } from "../test/fixtures/postgresServer.js"
import type { Report } from "./harness.js"
import { LoadGenerator } from "./load.js"

/** Blocks that are published at once, and one after the other. */
const [BACKFILL, TIP] = [10_000, 200]
/** The limits of one transaction, as in a replay. */
const LIMITS = { blocks: 1000, size: 8 << 20 }
const READERS = 3
const SLICE_MS = 1000

type Print = (line: string) => void

/** A chain on the disk that is published to a PostgreSQL server with its ordinary settings, and the servers that read it there. */
export const publishReports: readonly Report[] = [
  {
    name: "publish",
    async run(print) {
      if (noPostgres !== undefined) return print(`publish: needs ${noPostgres}`)
      const server = await startPostgres({ settings: { fsync: "on" } })
      const dir = await mkdtemp(join(tmpdir(), "serac-bench-"))
      try {
        await published(server, dir, print)
      } finally {
        await server.remove()
        await rm(dir, { recursive: true, force: true })
      }
    },
  },
]

async function published(server: PostgresServer, dir: string, print: Print): Promise<void> {
  const url = server.url("postgres")
  const store = openStore(dir, { isLazy: true })
  const data = openCopy(store, { networkID: LOCAL_ID, now: LOCAL_START_TIME })
  const chain = new Chain({ rules: data.rules, state: store, project, trustSignatures: true })
  const blocks = longChain(localNetwork(), BACKFILL + TIP)[Symbol.iterator]()
  const accept = (count: number) => {
    for (let i = 0; i < count; i++) acceptAll(chain, [blocks.next().value as never])
    chain.flush()
  }
  accept(BACKFILL)
  const publisher = openPublisher({ url, store, data, canRevert: false, limits: LIMITS, snapshotEvery: BACKFILL, log: silentLog })
  const started = performance.now()
  const [own, theirs] = [process.cpuUsage(), serverCpu(server)]
  publisher.start()
  await untilPublished(publisher, BigInt(BACKFILL))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(own)
  print(
    `publish, backfill: ${BACKFILL.toLocaleString("en")} blocks, ${Math.round(BACKFILL / seconds).toLocaleString("en")} blocks/s; ` +
      `${Math.round((user + system) / BACKFILL)} µs of processor time each, and ${Math.round(((serverCpu(server) - theirs) * 1e6) / BACKFILL)} µs of the server  aim 3,000/s`,
  )
  await reportSize(url, print)
  await reportLag(url, print, () => {
    accept(1)
    publisher.wake()
  })
  await publisher.stop()
  await store.close()
  await reportReaders(url, print)
}

async function reportSize(url: string, print: Print): Promise<void> {
  const sql = await openDatabase(url, { max: 1, name: "bench" })
  const rows = await sql<{ name: string; bytes: bigint }[]>`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relnamespace = 'serac'::regnamespace and relkind = 'r' order by bytes desc`
  await sql.end()
  const perBlock = (bytes: bigint) => Math.round(Number(bytes) / BACKFILL).toLocaleString("en")
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0n)
  const largest = rows.slice(0, 3).map(({ name, bytes }) => `${name} ${perBlock(bytes)}`)
  print(`publish, size of the tables with their indexes: ${perBlock(all)} bytes a block (${largest.join(", ")})`)
}

/** Measures the milliseconds from the commit of a block in the store to the notification of a reader. */
async function reportLag(url: string, print: Print, next: () => void): Promise<void> {
  const sql = await openDatabase(url, { max: 1, name: "bench" })
  let onTip: () => void = () => {}
  await sql.listen("serac_tip", () => onTip())
  const lags: number[] = []
  for (let i = 0; i < TIP; i++) {
    const told = new Promise<void>((resolve) => {
      onTip = resolve
    })
    const started = performance.now()
    next()
    await told
    lags.push(performance.now() - started)
  }
  await sql.end()
  lags.sort((a, b) => a - b)
  const at = (share: number) => (lags[Math.floor((lags.length - 1) * share)] as number).toFixed(1)
  print(`publish, lag at the tip: median ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms, at most ${at(1)} ms  aim 100 ms`)
}

/** Measures requests per second of one, two and three read servers, each a process, under one load generator for each. */
async function reportReaders(url: string, print: Print): Promise<void> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => startReader(url)))
  const loads = readers.map(() => new LoadGenerator())
  try {
    for (const [name, requests] of questions()) {
      for (const load of loads) load.prepare(requests)
      for (let count = 0; count <= READERS; count++) {
        const asked = loads.slice(0, Math.max(1, count))
        const served = await Promise.all(
          asked.map((load, i) => load.run({ port: readers[i]?.port as number, connections: 8, milliseconds: SLICE_MS })),
        )
        // The first round warms up.
        if (count === 0) continue
        const sum = served.reduce((total, { perSecond }) => total + perSecond, 0)
        const p99 = Math.max(...served.map((each) => each.p99))
        print(
          `publish, ${name}, ${count} read server${count > 1 ? "s" : ""}: ${Math.round(sum).toLocaleString("en")}/s, p99 ${p99.toFixed(1)} ms`,
        )
      }
    }
    print(`publish, memory of a read server after ${BACKFILL.toLocaleString("en")} blocks: ${memoryOf(readers[0]?.child)} MiB`)
  } finally {
    for (const load of loads) load.stop()
    for (const { child } of readers) child.kill()
  }
}

/** The questions: one about the current state, and one about the past, each time another block. */
function questions(): readonly (readonly [string, readonly Uint8Array[]])[] {
  const height = requestOf("platform.getHeight", {})
  const blocks = Array.from({ length: BACKFILL }, (_, i) =>
    requestOf("platform.getBlockByHeight", { height: String(((i * 7919) % BACKFILL) + 1), encoding: "hex" }),
  )
  return [
    ["getHeight", [height]],
    ["getBlockByHeight", blocks],
  ]
}

function requestOf(method: string, params: object): Uint8Array {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  return Buffer.from(
    `POST /ext/bc/P HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

// Bundled into dist/dev/, two folders below the project.
const bin = join(dirname(fileURLToPath(import.meta.url)), "../../bin/serac")

async function startReader(url: string): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [bin, "serve", "--postgres", url, "--http-port", "0", "--json", "--log-level", "off"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const banner = JSON.parse((await lines.next()).value as string) as { url: string }
  const { port } = new URL(banner.url)
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/ext/health`)
    if (ready.status === 200) return { child, port: Number(port) }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function memoryOf(child: ChildProcess | undefined): number {
  const status = readFileSync(`/proc/${child?.pid}/status`, "utf8")
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

/** Seconds of processor time that the processes of a server have used; NaN where there is no /proc. */
function serverCpu({ pids }: PostgresServer): number {
  try {
    return pids().reduce((sum, pid) => sum + cpuOf(pid), 0)
  } catch {
    return Number.NaN
  }
}

/** Ticks of the clock in a second. */
const TICKS = 100

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) / TICKS
}
