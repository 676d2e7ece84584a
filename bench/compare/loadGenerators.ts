import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Question } from "./questions.js"

/** A load: the same requests over a number of connections, one at a time on each. */
export interface Load extends Pick<Question, "path" | "bodies"> {
  readonly url: string
  readonly connections: number
  readonly seconds: number
}

/** The outcome of a load. Latencies are in milliseconds. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Answers with another status than 200, and connections that failed. */
  readonly errors: number
}

/** A program that sends requests as fast as they are answered. */
export interface LoadGenerator {
  /** The name and version, for the report. */
  readonly name: string
  run(load: Load): Promise<LoadResult>
}

/** Opens wrk where it is on the PATH, or else autocannon, which is installed in `bench/loadGenerator` at the first use. */
export function openLoadGenerator(root: string): LoadGenerator {
  const found = spawnSync("wrk", ["-v"], { encoding: "utf8" })
  const version = /wrk (\S+)/.exec(`${found.stdout}${found.stderr}`)?.[1]
  return version === undefined ? autocannon(join(root, "bench/loadGenerator")) : wrk(version)
}

function wrk(version: string): LoadGenerator {
  return {
    name: `wrk ${version}, one thread`,
    async run({ url, path, bodies, connections, seconds }) {
      const dir = mkdtempSync(join(tmpdir(), "serac-wrk-"))
      try {
        const script = join(dir, "post.lua")
        writeFileSync(script, luaOf(path, bodies))
        const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "60s", "--latency", "-s", script, url]
        return parseWrk(execFileSync("wrk", args, { encoding: "utf8" }))
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    },
  }
}

function luaOf(path: string, bodies: readonly string[]): string {
  const list = bodies.map((body) => `[==[${body}]==]`).join(",\n")
  return `local bodies = {\n${list}\n}
local requests = {}
local turn = 0
init = function(args)
  for i, body in ipairs(bodies) do
    requests[i] = wrk.format("POST", "${path}", { ["Content-Type"] = "application/json" }, body)
  end
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
`
}

/** Reads wrk's report. */
export function parseWrk(text: string): LoadResult {
  const found = (pattern: RegExp) => pattern.exec(text)
  const latency = (percent: string) => milliseconds(found(new RegExp(`\\b${percent}%\\s+([\\d.]+)(us|ms|s|m)`)))
  const [, connect = "0", read = "0", write = "0", timeout = "0"] =
    found(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/) ?? []
  const errors = [connect, read, write, timeout, found(/Non-2xx or 3xx responses: (\d+)/)?.[1] ?? "0"]
  return {
    requests: Number(found(/(\d+) requests in/)?.[1]),
    perSecond: Number(found(/Requests\/sec:\s+([\d.]+)/)?.[1]),
    p50: latency("50"),
    p99: latency("99"),
    errors: errors.reduce((sum, each) => sum + Number(each), 0),
  }
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function milliseconds(match: RegExpExecArray | null): number {
  return match ? Number(match[1]) * (UNITS[match[2] as string] as number) : Number.NaN
}

/** The used part of autocannon's report. */
interface Cannon {
  readonly requests: { readonly total: number; readonly average: number }
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly non2xx: number
  readonly errors: number
}

function autocannon(folder: string): LoadGenerator {
  if (!existsSync(join(folder, "node_modules/autocannon"))) execFileSync("npm", ["ci", "--prefix", folder], { stdio: "ignore" })
  const load = createRequire(join(folder, "package.json"))
  const { version } = load("autocannon/package.json") as { version: string }
  return {
    name: `autocannon ${version}, one thread`,
    async run({ url, path, bodies, connections, seconds }) {
      const requests = bodies.map((body) => ({ method: "POST", path, headers: { "content-type": "application/json" }, body }))
      const cannon = load("autocannon") as (options: object) => Promise<Cannon>
      const {
        requests: sent,
        latency,
        non2xx,
        errors,
      } = await cannon({ url, connections, duration: seconds, requests, timeout: 60 })
      return { requests: sent.total, perSecond: sent.average, p50: latency.p50, p99: latency.p99, errors: non2xx + errors }
    },
  }
}
