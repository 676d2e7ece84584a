import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startNode } from "../faults/node.js"
import { runBin, seracOfFile } from "./serac.js"

const built = seracOfFile("node")
const { folder } = built

/** The events of a log of JSON lines, with the data of each. */
const eventsIn = (log: string) =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly event: string } & Readonly<Record<string, unknown>>)

/** The warnings that a log has, without times. */
const warningsIn = (log: string) =>
  eventsIn(log)
    .filter(({ level }) => level === "warn")
    .map(({ time: _, level: __, ...rest }) => rest)

test("--stop-with-stdin stops a node when the program that started it is killed", async () => {
  const words = [built.bin, "--ephemeral", "--http-port", "0", "--json", "--stop-with-stdin"]
  // A parent that starts the node as `npx` does, and prints the node's process ID.
  const parent = spawn(process.execPath, [
    "-e",
    `const child = require("child_process").spawn(process.execPath, ${JSON.stringify(words)}, { stdio: ["pipe", "pipe", "inherit"] })
     child.stdout.once("data", () => console.log(child.pid))`,
  ])
  let log = ""
  parent.stderr.on("data", (data) => {
    log += data
  })
  await once(parent.stdout, "data")
  parent.kill("SIGKILL")
  // The node inherits the parent's stderr, which closes when the node has ended.
  await once(parent.stderr, "close")
  expect(eventsIn(log).at(-1)).toMatchObject({ event: "stop", reason: "stdin closed" })
})

test("without --stop-with-stdin the end of stdin stops nothing, and with it a signal still does", async () => {
  const plain = await startNode(built.bin, ["--ephemeral"])
  plain.process.stdin?.end()
  expect((await plain.call("platform.getHeight")).status).toBe(200)
  expect(await plain.stop()).toBe(0)
  const node = await startNode(built.bin, ["--ephemeral", "--stop-with-stdin"])
  expect(await node.stop()).toBe(0)
})

test("--state keeps a whole chain in one file, and nothing else", async () => {
  const file = join(folder, "chain.state")
  const home = { ...process.env, HOME: join(folder, "home") }
  const first = await startNode(built.bin, ["--state", file], ["env", `HOME=${home.HOME}`])
  await first.call("dev.mine", { blocks: 2, filler: true })
  const { result } = await first.call("dev.status")
  expect(await first.stop()).toBe(0)
  const second = await startNode(built.bin, ["--state", file], ["env", `HOME=${home.HOME}`])
  expect((await second.call("dev.status")).result).toMatchObject({ height: result?.height })
  expect(await second.stop()).toBe(0)
  expect(existsSync(home.HOME)).toBe(false)
  expect(runBin(built.bin, ["--state", file, "--dump-state", file])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "serac: cli.flag_without_effect: this flag would have no effect (flag: --dump-state, reason: --state names the file that is read and written)\n",
  })
})

test("a private chain with --public signs no messages, and has neither the keystore nor /ext/dev", async () => {
  const node = await startNode(built.bin, ["--ephemeral", "--public"])
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "dev.status", message: "0x00" })
  const ask = (path: string) => fetch(node.url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
  const paths = ["/aggregate-signatures", "/ext/dev", "/ext/keystore", "/ext/admin", "/ext/index/P/block", "/ext/bc/C/rpc"]
  const statuses = await Promise.all(paths.map(async (path) => [path, (await ask(path)).status]))
  expect(statuses).toEqual(paths.map((path) => [path, 404]))
  expect((await node.call("platform.getHeight")).result).toEqual({ height: "0" })
  expect(await node.stop()).toBe(0)
})

test("AvalancheGo's --db-dir sets the data directory unless --data-dir is given", async () => {
  const [dbDir, dataDir] = [join(folder, "db"), join(folder, "data")]
  const first = await startNode(built.bin, ["--db-dir", dbDir, "--accounts", "0"])
  expect([await first.stop(), existsSync(join(dbDir, "chain"))]).toEqual([0, true])
  const second = await startNode(built.bin, ["--db-dir", join(folder, "unused"), "--data-dir", dataDir, "--accounts", "0"])
  expect(await second.stop()).toBe(0)
  expect([existsSync(join(folder, "unused")), existsSync(join(dataDir, "chain"))]).toEqual([false, true])
})

test("--reset begins a new chain with the rules that are given now", async () => {
  const dataDir = join(folder, "reset")
  const first = await startNode(built.bin, ["--data-dir", dataDir, "--min-delegator-stake", "7"])
  await first.call("dev.advanceTime", { seconds: 86_400 })
  await first.call("dev.mine", { blocks: 2, filler: true })
  expect(await first.stop()).toBe(0)
  const other = ["--data-dir", dataDir, "--min-delegator-stake", "8"]
  expect(runBin(built.bin, [...other, "--http-port", "0"]).stderr).toContain("node.other_rule")
  const again = await startNode(built.bin, [...other, "--reset", "--accounts", "0"])
  expect((await again.call("platform.getMinStake")).result).toMatchObject({ minDelegatorStake: "8" })
  const { result } = await again.call("dev.status")
  expect([result?.height, Math.abs(Number(result?.offset)) < 60]).toEqual(["0", true])
  expect(await again.stop()).toBe(0)
})

test("flags, variables and names in the configuration without an effect give a warning", async () => {
  const config = join(folder, "config.json")
  writeFileSync(config, '{"http-prot": 9999, "rate-limit": 5}')
  const flags = ["--public-ip", "127.0.0.1", "--config-file", config]
  const node = await startNode(
    built.bin,
    ["--ephemeral", ...flags],
    ["env", "SERAC_NOSUCH=1", "SERAC_SERVICE_HOST=10.0.0.1", "SERAC_BLOCK_INTERVAL=5s"],
  )
  expect(await node.stop()).toBe(0)
  const without = "flag without effect"
  expect(warningsIn(node.log())).toEqual([
    {
      event: "no flag has this name: its value has no effect",
      name: "http-prot",
      source: "configuration",
      didYouMean: "http-port",
    },
    { event: "no flag has this name: its value has no effect", name: "SERAC_NOSUCH", source: "environment" },
    {
      event: without,
      flag: "--rate-limit",
      reason: "only clients of a public server are held to a rate: add --public",
    },
    {
      event: without,
      flag: "--public-ip",
      reason: "the node joins no network: --bootstrap-ips and --bootstrap-ids name the nodes to join with",
    },
    { event: without, flag: "--block-interval", reason: "only --block-mode interval uses it" },
  ])
  const genesis = runBin(built.bin, ["genesis"], { env: { ...process.env, SERAC_NOSUCH: "1" } })
  expect(genesis.stderr).toBe(
    "serac: warning: no flag has this name: its value has no effect (name: SERAC_NOSUCH, source: environment)\n",
  )
})

test("options of a new chain give a warning on an existing chain", async () => {
  const dataDir = join(folder, "kept")
  const first = await startNode(built.bin, ["--data-dir", dataDir, "--start-time", "1900000000"])
  expect(await first.stop()).toBe(0)
  const again = await startNode(built.bin, ["--data-dir", dataDir, "--start-time", "1910000000"])
  expect(await again.stop()).toBe(0)
  expect([warningsIn(first.log()), warningsIn(again.log())]).toEqual([
    [],
    [
      {
        event: "flag without effect",
        flag: "--start-time",
        reason: "the chain exists and continues with its own clock: dev.setTime moves it, --reset starts again from genesis",
      },
    ],
  ])
})
