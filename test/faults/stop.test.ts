import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBin, seracOfFile } from "../cli/serac.js"
import { startNode } from "./node.js"

const built = seracOfFile("stop")
const { folder } = built

// The last test sends SIGTERM.
test.each(["SIGINT", "SIGHUP"] as const)("one %s stops a node, and the state is dumped", async (signal) => {
  const file = join(folder, `${signal}.state`)
  const node = await startNode(built.bin, ["--ephemeral", "--dump-state", file])
  expect(await node.stop(signal)).toBe(0)
  expect(readFileSync(file, "latin1").slice(0, 11)).toBe("serac state")
})

test("a state that cannot be dumped at the end is one line, and exit code 1", async () => {
  const place = join(folder, "gone")
  mkdirSync(place)
  const node = await startNode(built.bin, ["--ephemeral", "--log-level", "off", "--dump-state", join(place, "state")])
  rmSync(place, { recursive: true })
  expect(await node.stop()).toBe(1)
  expect(node.log()).toMatch(/^serac: cli\.unwritable_file: [^\n]*\n$/)
})

test("one SIGTERM during long work ends the work, and the state is dumped", async () => {
  const file = join(folder, "long.state")
  const node = await startNode(built.bin, ["--ephemeral", "--dump-state", file])
  // A thousand years of validators that stake again: minutes of work.
  const travel = node.call("dev.advanceTime", { seconds: 31_536_000_000, force: true })
  await node.call("dev.status")
  const stopped = node.stop()
  expect((await travel).error?.data).toEqual({ code: "producer.stopped" })
  expect(await stopped).toBe(0)
  expect(readFileSync(file, "latin1").slice(0, 11)).toBe("serac state")
})

test.each([
  ["an exception", 'throw new Error("nobody catches this")'],
  ["a rejected promise", 'Promise.reject(new Error("nobody catches this"))'],
])("%s that no code catches stops the node in order, with exit code 3", async (_, statement) => {
  const thrower = join(folder, "thrower.cjs")
  writeFileSync(thrower, `process.on("SIGUSR2", () => { ${statement} })`)
  const dataDir = mkdtempSync(join(folder, "uncaught-"))
  const args = ["--data-dir", dataDir, "--log-level", "off"]
  const node = await startNode(built.bin, args, ["env", `NODE_OPTIONS=--require=${thrower}`])
  await node.call("dev.mine", { filler: true })
  node.process.kill("SIGUSR2")
  expect(await node.ended).toBe(3)
  expect(node.log()).toMatch(/^serac: an error inside Serac was not caught, so it stops; [^\n]*: Error: nobody catches this\n/)
  // The store was closed: nothing is left of the lock, and the next start continues the chain.
  const again = await startNode(built.bin, args)
  expect((await again.call("platform.getHeight")).result).toEqual({ height: "1" })
  expect([await again.stop(), again.log()]).toEqual([0, ""])
})

test("without a home directory a node asks for --data-dir, and writes nothing into the working directory", () => {
  const cwd = join(folder, "homeless")
  mkdirSync(cwd)
  const { code, stderr } = runBin(built.bin, ["--http-port", "0"], { cwd, env: { ...process.env, HOME: "" } })
  expect([code, stderr]).toEqual([
    1,
    "serac: node.no_home: no home directory is known, so there is no default data directory: name one with --data-dir\n",
  ])
})
