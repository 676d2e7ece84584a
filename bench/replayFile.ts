import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { toHex } from "../src/core/lib/bytes.js"
import { openStore } from "../src/datadir/openStore.js"
import { readBlockFile } from "../src/sync/blockFile.js"
import { replay } from "../src/sync/replay.js"
import { chainToReplay } from "../src/tools/chainToReplay.js"
import { defaultSignatureThreads, SignaturePool } from "../src/workers/signaturePool.js"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import type { Report } from "./harness.js"

/** V8 compiles during the first 20,000 blocks: two thirds of the time are measured after that. */
const BLOCKS = 60_000

/** Number of blocks of a long replay. */
const LONG = Number(process.env.SERAC_REPLAY_BLOCKS ?? 100_000)

/** Blocks per second of `serac replay`: from a file to the disk, with signatures checked. */
export const replayFileReports: readonly Report[] = [
  {
    name: "replay of a file",
    async run(print) {
      await withFile(BLOCKS, async (file) => {
        for (const history of ["on", "off"] as const) {
          for (const workers of [...new Set([0, 1, defaultSignatureThreads()])]) {
            const { perSecond } = await replayFile(file, { workers, history })
            print(`replay of a file, history ${history}, ${workers} workers: ${grouped(perSecond)} blocks/s`)
          }
        }
      })
    },
  },
  {
    name: "long replay",
    async run(print) {
      await withFile(LONG, async (file) => {
        const part = Math.min(100_000, Math.ceil(LONG / 10))
        const { perSecond, parts, bytes } = await replayFile(file, { workers: defaultSignatureThreads(), history: "on", part })
        for (const { height, perSecond: rate, perCpuSecond, memory } of parts) {
          const speed = `${grouped(rate)} blocks/s, ${grouped(perCpuSecond)} per CPU second`
          print(`long replay, to height ${grouped(height)}: ${speed}, ${Math.round(memory / 2 ** 20)} MiB of its own`)
        }
        const [first, last] = [parts[0]!, parts.at(-1)!]
        print(
          `long replay of ${grouped(LONG)} blocks: ${grouped(perSecond)} blocks/s, ${Math.round(bytes / 2 ** 20)} MiB on the disk`,
        )
        print(
          `long replay: the last ${grouped(part)} blocks take ${(first.perSecond / last.perSecond).toFixed(2)} times what the first take, ${(first.perCpuSecond / last.perCpuSecond).toFixed(2)} times the CPU time`,
        )
      })
    },
  },
]

const grouped = (value: number): string => Math.round(value).toLocaleString("en")

async function withFile(blocks: number, use: (file: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  try {
    const file = join(dir, "blocks.txt")
    await pipeline(linesOf(blocks), createWriteStream(file))
    await use(file)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function* linesOf(blocks: number): Iterable<string> {
  for (const { bytes } of longChain(localNetwork(), blocks)) yield `${toHex(bytes)}\n`
}

interface FileReplay {
  readonly workers: number
  readonly history: "on" | "off"
  /** Blocks of one part, whose rate and memory are noted. */
  readonly part?: number
}

interface MeasuredPart {
  readonly height: number
  readonly perSecond: number
  readonly perCpuSecond: number
  /** Resident memory at the end of the part, bytes, without the pages of the store's file. */
  readonly memory: number
}

/** Resident memory without mapped files, bytes; on other systems than Linux with them. */
function ownMemory(): number {
  if (process.platform !== "linux") return process.memoryUsage().rss
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024
}

/** Replays a file into a new data directory, as the command does. */
async function replayFile(file: string, { workers, history, part = Number.POSITIVE_INFINITY }: FileReplay) {
  const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const store = openStore(dir, { isLazy: true })
  // The bundle of the benchmarks lies beside that of the threads.
  const program = (name: string) => join(dirname(process.argv[1]!), `../${name}.js`)
  const threads = new SignaturePool({ count: workers, program: program("signatureWorker") })
  try {
    const genesisBlockID = localNetwork().genesis.block.id
    const chain = await chainToReplay(store, { now: 0n, genesisBlockID, trustSignatures: false, history })
    const parts: MeasuredPart[] = []
    const started = performance.now()
    let since = started
    let used = process.cpuUsage()
    const onBlock = (at: bigint) => {
      const height = Number(at)
      if (height % part !== 0) return
      const now = performance.now()
      const { user, system } = process.cpuUsage(used)
      const perCpuSecond = (part * 1e6) / (user + system)
      parts.push({ height, perSecond: (part * 1000) / (now - since), perCpuSecond, memory: ownMemory() })
      since = now
      used = process.cpuUsage()
    }
    const { executed } = await replay(readBlockFile(file), chain, { threads, onBlock, now: () => performance.now() })
    return { perSecond: (executed * 1000) / (performance.now() - started), parts, bytes: store.statistics().bytes }
  } finally {
    threads.stop()
    await store.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
