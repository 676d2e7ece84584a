import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { buildSerac } from "../cli/serac.js"
import { ask, until } from "./avalanchego.js"

interface NetworkLine {
  readonly networkID: number
  readonly dir: string
  readonly nodes: readonly { readonly name: string; readonly url: string; readonly nodeID: string; readonly pid: number }[]
}

const scratch = mkdtempSync(join(tmpdir(), "serac-local-network-"))
let built: ReturnType<typeof buildSerac>

beforeAll(() => {
  built = buildSerac()
})
afterAll(() => {
  built.remove()
  rmSync(scratch, { recursive: true, force: true })
})

/** Runs `serac network` until the end of the test; resolves with its first line. */
async function startNetwork(...flags: string[]) {
  const child = spawn(process.execPath, [built.bin, "network", "--json", ...flags], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse((await lines.next()).value as string)
  const stop = async () => {
    child.kill("SIGTERM")
    return (await once(child, "exit"))[0]
  }
  return { started: (await nextLine()) as NetworkLine, nextLine, stop }
}

const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")

test("three nodes find each other, a killed one is reported, and all of them stop and start again", async () => {
  const dir = join(scratch, "three")
  const { started, nextLine, stop } = await startNetwork("--nodes=3", `--dir=${dir}`)
  expect(started.nodes.map(({ name }) => name)).toEqual(["node1", "node2", "node3"])
  for (const { url, nodeID } of started.nodes) {
    expect(await ask(url, "/ext/info", "info.getNodeID")).toMatchObject({ nodeID })
    expect((await ask(url, "/ext/info", "info.peers")).numPeers).toBe("2")
    const { validators } = await ask(url, "/ext/bc/P", "platform.getCurrentValidators")
    expect((validators as { nodeID: string }[]).map((each) => each.nodeID).sort()).toEqual(
      started.nodes.map((each) => each.nodeID).sort(),
    )
  }
  process.kill(started.nodes[2]?.pid as number, "SIGKILL")
  expect(await nextLine()).toEqual({ node: "node3", isUp: false, exit: "SIGKILL", upCount: 2 })
  expect(await stop()).toBe(0)
  await until(async () => !started.nodes.some(({ pid }) => isRunning(pid)), 10_000)
  const again = await startNetwork(`--dir=${dir}`)
  expect(again.started.nodes.map(({ nodeID }) => nodeID)).toEqual(started.nodes.map(({ nodeID }) => nodeID))
  expect(await again.stop()).toBe(0)
}, 120_000)

test("a network of one node is ready alone, and a temporary directory is removed", async () => {
  const { started, stop } = await startNetwork("--nodes=1", "--upgrade=granite")
  expect(existsSync(started.dir)).toBe(true)
  expect(await stop()).toBe(0)
  expect(existsSync(started.dir)).toBe(false)
}, 60_000)

test("a node whose port another program has taken is named with its reason, and the command ends", async () => {
  // It accepts connections and never answers.
  const other = createServer().listen(0, "127.0.0.1")
  onTestFinished(() => void other.close())
  await once(other, "listening")
  const { port } = other.address() as { readonly port: number }
  const args = [built.bin, "network", "--nodes=1", `--dir=${join(scratch, "taken")}`, `--first-port=${port}`]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [log, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
  expect(code).toBe(1)
  expect(log).toContain("localnet.node_ended")
  expect(log).toContain(
    `node.address_taken: another program listens at this address: stop it, or choose another --http-port, --staking-port or --metrics-port (0 takes a free one) (host: 127.0.0.1, port: ${port})`,
  )
}, 60_000)
