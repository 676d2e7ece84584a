import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { expect, test } from "vitest"
import { version } from "../../src/node/version.js"
import { countLines } from "../countLines.js"
import { needs } from "../needs.js"
import { root, type Source, sources, targetOf } from "../sources.js"
import { run } from "../terminal.js"
import { runBin, seracOfFile } from "./serac.js"

const reward = "0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000"
const built = seracOfFile("cli")
const { folder } = built

const serac = (args: string[], options = {}) => runBin(built.bin, args, options)

test("the executable prints its version and its help", () => {
  expect(serac(["--version"])).toEqual({
    code: 0,
    stdout: `serac ${version}\nrules and answers of AvalancheGo v1.15.0\n`,
    stderr: "",
  })
  expect(serac(["help"]).stdout).toContain("Usage: serac [COMMAND] [FLAGS]")
})

test("where WebAssembly is not permitted, signatures are checked in plain JavaScript", () => {
  const crypto = (node: readonly string[]) => {
    const { stdout } = spawnSync(process.execPath, [...node, built.bin, "--version-json"], { encoding: "utf8" })
    return JSON.parse(stdout).crypto
  }
  expect(crypto([])).toEqual({ secp256k1: "wasm", bls: "native" })
  expect(crypto(["--jitless"])).toEqual({ secp256k1: "noble", bls: "native" })
})

test("stdout has only the result, and wrong input ends with exit code 1 and one line", () => {
  expect(serac(["id", "11111111111111111111111111111111LpoYY", "--to", "hex"])).toEqual({
    code: 0,
    stdout: `0x${"00".repeat(32)}\n`,
    stderr: "",
  })
  expect(serac(["decode"], { input: reward }).stdout).toContain('"kind": "RewardValidatorTx"')
  expect(serac(["decode", "0x00"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "serac: codec.no_version: the bytes end before the codec version does (wanted: 2, left: 1)\n",
  })
})

test("packages that only some flags need are loaded beside the code that was compiled ahead", () => {
  const words = Array.from({ length: 12 }, () => "abandon").join(" ")
  const refused = (args: string[]) => serac([...args, "--http-port", "0"])
  const bad = (exit: number, code: string) => ({
    code: exit,
    stdout: "",
    stderr: expect.stringMatching(`^serac: ${code}: .*\n$`),
  })
  expect(refused(["--ephemeral", "--mnemonic", words])).toEqual(bad(1, "producer.bad_checksum"))
  expect(refused(["serve", "--postgres", "postgres://user:secret@127.0.0.1:1/chain"])).toEqual(bad(75, "postgres.unreachable"))
})

test("-v prints the version, and a wrong call is refused in one line", async () => {
  expect((await run(["-v"])).stdout).toBe(`serac ${version}\nrules and answers of AvalancheGo v1.15.0\n`)
  expect(await run(["check"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "serac: cli.missing_argument: an argument is missing (command: check, takes: TX… or --lines)\n",
  })
  expect((await run(["--ephemeral", "--min-stake-duration", "5"])).stderr).toBe(
    "serac: network.flag_value: the value of this flag cannot be read (flag: min-stake-duration, value: 5, expected: a duration with its units, such as 24h, 1h30m or 90s, reason: a number in the duration has no unit (ns, us, ms, s, m, h))\n",
  )
})

test("an address that cannot be listened at now gives one line and the exit code of what may pass", () => {
  expect(serac(["--ephemeral", "--http-host", "192.0.2.1", "--http-port", "0", "--log-level", "off"])).toEqual({
    code: 75,
    stdout: "",
    stderr:
      "serac: node.cannot_listen: the server cannot listen at this address (host: 192.0.2.1, port: 0, reason: this machine does not have the address, systemCode: EADDRNOTAVAIL)\n",
  })
})

test("flags come from the environment", () => {
  expect(serac(["genesis"], { env: { ...process.env, SERAC_NETWORK_ID: "1337" } }).stdout).toMatch(/^Genesis of network-1337/)
})

test("without a command a node starts, answers, and stops at a signal", async () => {
  const child = spawn(process.execPath, [built.bin, "--ephemeral", "--http-port", "0", "--json"])
  const ended = new Promise((resolve) => child.on("close", resolve))
  const [banner] = await once(child.stdout, "data")
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(banner))?.[0]
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.getHeight", params: {} })
  const answer = await fetch(`${url}/ext/bc/P`, { method: "POST", headers: { "content-type": "application/json" }, body })
  expect(await answer.json()).toMatchObject({ result: { height: "1" } })
  child.kill("SIGTERM")
  expect(await ended).toBe(0)
})

test("the banner of a private chain fits one screen, and says where its accounts are", async () => {
  const child = spawn(process.execPath, [built.bin, "--ephemeral", "--http-port", "0", "--log-level", "off"])
  const ended = new Promise((resolve) => child.on("close", resolve))
  const banner = String((await once(child.stdout, "data"))[0])
  child.kill("SIGTERM")
  await ended
  const lines = banner.trim().split("\n")
  expect(lines.length).toBeLessThanOrEqual(30)
  expect(lines.filter((each) => each.length > 100)).toEqual([])
  expect(lines[0]).toMatch(/^Serac .*: a private P-Chain$/)
  expect(banner).toMatch(/^\(2\) {3}P-local1\S+ {2}100,000 AVAX\n {6}PrivateKey-\S+\newoq {2}P-local1/m)
  expect(banner).toMatch(/^serac dev accounts --url http:\/\/127\.0\.0\.1:\d+ shows all 10, also in the form of EVM wallets$/m)
})

test("a chain is served read-only, also publicly by several servers at once", async () => {
  const dataDir = join(folder, "served")
  const start = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [built.bin, ...args, "--data-dir", dataDir, "--http-port", "0", "--log-level", "off"])
    const ended = new Promise((resolve) => child.on("close", resolve))
    const [output] = await once(child.stdout, "data")
    const stop = async () => {
      child.kill("SIGTERM")
      return ended
    }
    return { output: String(output), stop }
  }
  const made = await start("--json")
  expect(await made.stop()).toBe(0)
  const served = await start("serve", "--json")
  const facts = { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), networkID: 12345, dataDir, height: "1" }
  const { nodeID } = JSON.parse(served.output)
  expect(JSON.parse(served.output)).toEqual({ ...facts, nodeID: expect.stringMatching(/^NodeID-\w{25,40}$/) })
  // A server claims the identity of no validator.
  expect(nodeID).not.toBe("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg")
  const refused = serac(["serve", "--data-dir", dataDir, "--http-port", "0"])
  expect(refused).toEqual({ code: 75, stdout: "", stderr: expect.stringMatching(/^serac: store\.locked: /) })
  const open = [await start("serve", "--public"), await start("serve", "--public")]
  for (const { output } of open) {
    expect(output).toMatch(/^\nSerac .*: a P-Chain to read, for the public\n[\s\S]*Height {4}1\n/)
    expect(output).not.toContain("NodeID-")
  }
  expect(await Promise.all([served, ...open].map(({ stop }) => stop()))).toEqual([0, 0, 0])
})

/** Starts a private chain in memory, calls it, stops it, and returns its exit code and its log. */
async function privateChain(...flags: readonly string[]) {
  const child = spawn(process.execPath, [built.bin, "--ephemeral", "--http-port", "0", "--json", ...flags])
  let log = ""
  child.stderr.on("data", (data) => {
    log += data
  })
  const ended = new Promise((resolve) => child.on("close", resolve))
  const { url } = JSON.parse(String((await once(child.stdout, "data"))[0]))
  const call = async (method: string, params: object = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const headers = { "content-type": "application/json" }
    const response = await fetch(`${url}/ext/dev`, { method: "POST", headers, body })
    return ((await response.json()) as { result: Record<string, unknown> }).result
  }
  const stop = async () => {
    child.kill("SIGTERM")
    return { code: await ended, log }
  }
  return { call, stop }
}

test("a chain is dumped when it stops, another one continues from the dump, and a reset returns to it", async () => {
  const file = join(folder, "state")
  const first = await privateChain("--dump-state", file, "--start-time", "1900000000", "--freeze-time")
  await first.call("dev.mine", { blocks: 3, filler: true })
  const { height, clock } = await first.call("dev.status")
  // A client that waits for a transaction does not delay the stop.
  const waiting = first.call("dev.waitForTx", { txID: "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm", timeout: 25 })
  await first.call("dev.status")
  expect(await first.stop()).toMatchObject({ code: 0 })
  expect(await waiting).toEqual({ status: "Unknown" })

  const second = await privateChain("--load-state", file)
  expect(await second.call("dev.status")).toMatchObject({ height, clock, frozen: true })
  await second.call("dev.mine", { filler: true })
  expect(await second.call("dev.reset")).toEqual({ height })
  expect(await second.stop()).toMatchObject({ code: 0 })
})

test.each([
  ["--dump-state", "missing/state", "cli.unwritable_file"],
  ["--dump-state", ".", "cli.unwritable_file"],
  ["--load-state", "missing", "cli.unreadable_file"],
  ["--load-state", "junk", "producer.bad_dump"],
])("%s %s is refused before a chain starts", async (flag, name, code) => {
  writeFileSync(join(folder, "junk"), "no state")
  const { code: exit, stdout, stderr } = await run(["--ephemeral", "--http-port", "0", flag, join(folder, name)])
  expect([exit, stdout]).toEqual([1, ""])
  expect(stderr).toContain(`serac: ${code}: `)
})

test("impossible accounts and phrases are refused with a hint", async () => {
  const refused = async (...flags: string[]) => (await run(["--ephemeral", "--http-port", "0", ...flags])).stderr
  expect(await refused("--accounts", "1000")).toMatch(
    /^serac: producer\.unaffordable_accounts: .*fewer accounts or a smaller balance.*P-local1/,
  )
  const phrase = "test test test test test test test test test test tset junk"
  expect(await refused("--mnemonic", phrase)).toMatch(/^serac: producer\.unknown_word: .*word: tset, position: 11/)
})

/** A file of this many lines, each a transaction. */
function linesFile(count: number): string {
  const path = join(folder, `${count}.txt`)
  const file = openSync(path, "w")
  const thousand = `0x${reward}\n`.repeat(1_000)
  for (let i = 0; i < count; i += 1_000) writeSync(file, thousand)
  closeSync(file)
  return `@${path}`
}

/** Runs `serac` and reads its stdout line by line. Returns the lines and the largest memory of the process, in MiB. */
async function streamed(args: string[]): Promise<{ code: number | null; lines: number; peak: number }> {
  const code = "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))"
  const child = spawn(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(code)}`, built.bin, ...args])
  let [lines, stderr] = [0, ""]
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  for await (const chunk of child.stdout) lines += countLines(chunk)
  return { code: await ended, lines, peak: Number(stderr.split("\n").at(-1)) / 1024 }
}

test("ten times as many lines take no more memory", async () => {
  const few = await streamed(["decode", "--lines", linesFile(5_000)])
  const many = await streamed(["decode", "--lines", linesFile(50_000)])
  expect([few.code, few.lines, many.code, many.lines]).toEqual([0, 5_000, 0, 50_000])
  // Node's own heap wanders by some tens of MiB; 50,000 answers held at once would be far more.
  expect(many.peak - few.peak).toBeLessThan(48)
})

test("a reader that closes its end early stops the command without an error", async () => {
  const child = spawn(process.execPath, [built.bin, "decode", "--lines", linesFile(50_000)])
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  child.stdout.once("data", () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.on("close", resolve))
  expect([code, stderr]).toEqual([0, ""])
})

test("a full disk under stdout is reported, and the command exits with 1", needs(existsSync("/dev/full"), "/dev/full"), () => {
  const full = openSync("/dev/full", "w")
  const { status, stderr } = spawnSync(process.execPath, [built.bin, "genesis"], { stdio: ["ignore", full, "pipe"] })
  closeSync(full)
  expect([status, stderr.toString()]).toEqual([1, expect.stringMatching(/^serac: stdout cannot be written: ENOSPC/)])
})

/** The sources that are evaluated before the code of a source runs. */
function loadedWith(path: string, all: ReadonlyMap<string, Source>, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const { name, isType, isLater } of all.get(path)?.imports ?? []) {
    if (!isType && !isLater && name.startsWith(".")) loadedWith(targetOf(path, name), all, seen)
  }
  return seen
}

test("each command loads only what it needs", () => {
  const all = new Map(sources().map((source) => [source.path, source]))
  const has = (path: string, loaded: string) => loadedWith(path, all).has(loaded)
  expect([
    has("cli/main.ts", "core/types/id.ts"),
    has("cli/commands/id.ts", "core/types/id.ts"),
    has("cli/commands/id.ts", "core/txs/index.ts"),
    has("cli/commands/node.ts", "core/txs/index.ts"),
  ]).toEqual([false, true, false, true])
})

/** The modules that `bin/serac` loads: those of the program by their names without hashes, those of Node, and those of packages. */
function modulesOf(...args: string[]) {
  const list = join(folder, `modules-${args.join("")}`)
  const hooks = join(root, "test/cli/loadedModules.mjs")
  const env = { ...process.env, LOADED_MODULES: list }
  const { status } = spawnSync(process.execPath, ["--import", hooks, built.bin, ...args], { env, input: "" })
  expect(status).toBe(0)
  const urls = readFileSync(list, "utf8").trimEnd().split("\n")
  const ofProgram = urls.filter((url) => url.includes("/dist/")).map((url) => basename(url).replace(/-.*/, ""))
  return {
    ofProgram: ofProgram.sort(),
    ofPackages: urls.filter((url) => url.includes("/node_modules/@") || url.includes("/lmdb/")),
  }
}

test("the program is read in few files: the version in three, a private chain in nine", () => {
  const { ofProgram } = modulesOf("--ephemeral", "--http-port=0", "--json", "--stop-with-stdin")
  expect(ofProgram).toEqual(["calls", "client", "codec", "commandLine", "entry", "node", "secp256k1Wasm", "serac.js", "shared"])
  expect(modulesOf("--version")).toEqual({ ofProgram: ["entry", "serac.js", "shared"], ofPackages: [] })
})

test("the help of all commands loads neither the store nor signatures", () => {
  const { ofPackages, ofProgram } = modulesOf("--help")
  expect([ofPackages, ofProgram.includes("node")]).toEqual([[], false])
})

test("without a build bin/serac names the command that builds", () => {
  const dist = join(dirname(built.bin), "../dist")
  renameSync(dist, `${dist}.away`)
  const { code, stdout, stderr } = serac(["help"])
  renameSync(`${dist}.away`, dist)
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^serac: not built yet; run `npm ci`/)
})
