import { expect, test } from "vitest"
import { allCases, type Case, floods, issueRequest, type RawCase, rawCases, type TxCase, txCases } from "./cases.js"
import { ServerProcess } from "./server.js"

// Checks for every method and route of a public server: the client is charged for each request, the request takes little memory, and other
// clients are served meanwhile. A new method is included because it is listed. The test compares CPU time, so that a busy machine does not
// change the result.

const isSoak = process.env.SERAC_SOAK !== undefined

/** The part of the cases to run, and the number of parts: `SERAC_PART=2/8` runs every eighth case from the second on. `npm test` runs half of them. */
const [part, parts] = (process.env.SERAC_PART ?? (isSoak ? "1/1" : "1/2")).split("/").map(Number) as [number, number]

/** Milliseconds of CPU that a case may take besides: compiling, collecting garbage of the cases before, the timer that watches. */
const SLACK = 5

/** Milliseconds of CPU for one turn of the event loop: those of docs/limits.md, and the period of the timer that watches. */
const TURN = 102

/** Number of attempts to measure a case. Compiling and garbage collection spoil some of them; a real fault spoils all. */
const TRIES = 6

/** Bytes that the process may grow by: the bounds of docs/limits.md for one client, its cache, and garbage that waits to be collected. */
const MEMORY = (isSoak ? 768 : 256) << 20

interface CaseUsage {
  readonly name: string
  /** Milliseconds of all threads. */
  readonly cpu: number
  /** Milliseconds of the thread of the event loop. */
  readonly thread: number
  readonly units: number
  readonly longest: number
  readonly rss: number
}

async function measured(server: ServerProcess, each: Case | RawCase): Promise<CaseUsage> {
  const before = await server.usage()
  await ("connections" in each ? server.sendRaw(each) : server.send(each))
  const after = await server.usage()
  const { longest, rss } = after
  const [cpu, thread] = [after.cpu - before.cpu, after.thread - before.thread]
  return { name: each.name, cpu, thread, units: after.units - before.units, longest, rss }
}

/**
 * Returns whether the client was charged for the time of a case. Other threads collect the garbage of the cases before, which may take
 * longer than a small case; what they take is compared for all cases together.
 */
const isFair = ({ thread, units, longest }: CaseUsage): boolean => units + SLACK >= thread && longest <= TURN

/** Returns the first measurement that is fair, or the last one. */
async function fairly(measure: () => Promise<CaseUsage>): Promise<CaseUsage> {
  let last = await measure()
  for (let i = 1; i < TRIES && !isFair(last); i++) last = await measure()
  return last
}

async function issued(server: ServerProcess, { name, what, size, count }: TxCase): Promise<CaseUsage> {
  const request = issueRequest(name, await server.txs(what, size, count))
  return measured(server, request)
}

function* ownPart<T>(cases: Iterable<T>): Iterable<T> {
  let index = 0
  for (const each of cases) if (index++ % parts === part - 1) yield each
}

const quantile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] as number

/**
 * A private chain has every method of a server that only reads, so that `npm test` asks it alone, in memory. The soak test also asks a
 * private chain on the disk, and a server that only reads.
 */
const modes = isSoak ? (["dev", "disk", "serve"] as const) : (["dev"] as const)

test.each(modes)(
  "whatever a client asks of a public server (%s) is paid for, takes little memory, and delays nobody",
  async (mode) => {
    using server = await ServerProcess.start(isSoak ? 1 : 0.02, mode)
    const size = isSoak ? 4.5 * (1 << 20) : 1 << 17
    const start = await server.usage()
    const probe = server.probe()
    const results: CaseUsage[] = []
    for (const each of ownPart(mode === "serve" ? [] : txCases(size, isSoak ? 100 : 20)))
      results.push(await fairly(() => issued(server, each)))
    for (const each of ownPart(allCases(server.known, size, isSoak))) results.push(await fairly(() => measured(server, each)))
    for (const each of isSoak ? ownPart(floods(2000)) : floods(100)) results.push(await fairly(() => measured(server, each)))
    for (const each of isSoak ? ownPart(rawCases(1 << 18, 40)) : rawCases(1 << 15, 10))
      results.push(await fairly(() => measured(server, each)))
    const times = await probe.stop()
    if (isSoak) console.log(summary(results, times))

    expect(results.filter((result) => !isFair(result))).toEqual([])
    expect(sum(results, "units")).toBeGreaterThan(sum(results, "cpu"))
    expect(Math.max(...results.map(({ rss }) => rss)) - start.rss).toBeLessThan(MEMORY)
    expect(quantile(times, 0.99)).toBeLessThan(100)
  },
  3_000_000,
)

const sum = (results: readonly CaseUsage[], member: "units" | "cpu"): number =>
  results.reduce((total, result) => total + result[member], 0)

/** Prints the figures of a run. */
function summary(results: readonly CaseUsage[], times: readonly number[]): string {
  const worst = [...results].sort((a, b) => b.longest - a.longest).slice(0, 20)
  const lines = worst.map(({ name, cpu, units, longest }) => `${[cpu, units, longest].map(Math.round).join("\t")}\t${name}`)
  const waits = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1))
  return [
    `${results.length} cases, cpu ${Math.round(sum(results, "cpu"))} ms, units ${Math.round(sum(results, "units"))}`,
    `${times.length} probes waited ${waits.join(" / ")} ms (median, p99, most)`,
    "cpu\tunits\tlongest turn (ms)",
    ...lines,
  ].join("\n")
}
