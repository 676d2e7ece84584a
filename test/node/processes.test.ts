import { mkdtempSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBin, seracOfFile } from "../cli/serac.js"
import { type RunningNode, startNode } from "../faults/node.js"

const built = seracOfFile("processes")
const COUNT = 3
const isLinux = process.platform === "linux"

/** Makes a private chain of one block in a new directory, and returns the directory. */
async function chainDirectory(): Promise<string> {
  const dataDir = mkdtempSync(join(built.folder, "chain-"))
  const node = await startNode(built.bin, ["--data-dir", dataDir])
  await node.call("dev.mine", { filler: true })
  expect(await node.stop()).toBe(0)
  return dataDir
}

interface Health {
  readonly healthy: boolean
  readonly checks: Readonly<Record<string, { readonly error?: string; readonly message?: unknown }>>
}

const healthOf = async ({ url }: RunningNode): Promise<Health> =>
  (
    await fetch(`${url}/ext/health`, { headers: { connection: "close" }, signal: AbortSignal.timeout(3000) })
  ).json() as Promise<Health>

/** Waits until all processes serve. */
async function allServing(node: RunningNode, count = COUNT): Promise<void> {
  for (;;) {
    // A connection that was on its way to a process which was killed gets no answer.
    const { checks = {} } = await healthOf(node).catch(() => ({}) as Partial<Health>)
    if ((checks.processes?.message as { serving: number } | undefined)?.serving === count) return
  }
}

async function serveWith(dataDir: string, flags: readonly string[] = []): Promise<RunningNode> {
  const node = await startNode(built.bin, ["serve", "--data-dir", dataDir, "--processes", String(COUNT), ...flags])
  await allServing(node)
  return node
}

/** The processes that a process started. */
function childrenOf({ process: { pid } }: RunningNode): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not waited for yet is listed as a zombie.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

async function ask({ url }: RunningNode, path: string, method: string): Promise<Record<string, string>> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{}}`
  const headers = { "content-type": "application/json", connection: "close" }
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body })
  return ((await response.json()) as { result: Record<string, string> }).result
}

const height = async (node: RunningNode) => (await ask(node, "/ext/bc/P", "platform.getHeight")).height

test("several processes serve one chain at one port, and metrics and health speak for all of them", async () => {
  const node = await serveWith(await chainDirectory())
  for (let i = 0; i < 4 * COUNT; i++) expect(await height(node)).toBe("1")
  const calls = /^serac_rpc_requests_total\{method="platform.getHeight",outcome="ok"\} (\d+)$/m
  const blocks = /^serac_chain_height (\d+)$/m
  for (let i = 0; i < 2 * COUNT; i++) {
    const page = await (await fetch(`${node.url}/ext/metrics`, { headers: { connection: "close" } })).text()
    expect([calls.exec(page)?.[1], blocks.exec(page)?.[1]]).toEqual([String(4 * COUNT), "1"])
  }
  const { healthy, checks } = await healthOf(node)
  expect([healthy, checks.processes?.message]).toEqual([true, { serving: COUNT, count: COUNT }])
  const nodeIDs = new Set<string | undefined>()
  for (let i = 0; i < 4 * COUNT; i++) nodeIDs.add((await ask(node, "/ext/info", "info.getNodeID")).nodeID)
  // All have one identity, which is no validator's.
  expect([...nodeIDs]).toEqual([expect.stringMatching(/^NodeID-(?!7Xhw2m)/)])
  expect(await node.stop()).toBe(0)
})

test.skipIf(!isLinux)("a killed process is replaced, and the others answer meanwhile", async () => {
  const node = await serveWith(await chainDirectory())
  const [first] = childrenOf(node)
  process.kill(first as number, "SIGKILL")
  while (!node.log().includes("a process that serves the chain ended and is replaced")) await new Promise(setImmediate)
  await allServing(node)
  expect(childrenOf(node)).toHaveLength(COUNT)
  expect(await height(node)).toBe("1")
  expect(await node.stop()).toBe(0)
})

test.skipIf(!isLinux)("no process outlives a main process that is killed", async () => {
  const node = await serveWith(await chainDirectory())
  const pids = childrenOf(node)
  await node.stop("SIGKILL")
  while (pids.some(isAlive)) await new Promise(setImmediate)
})

test("processes serve the directory of a node that writes, and follow it", async () => {
  const dataDir = await chainDirectory()
  const writer = await startNode(built.bin, ["--data-dir", dataDir])
  const node = await serveWith(dataDir, ["--public"])
  const { result } = await writer.call("dev.mine", { filler: true })
  for (let i = 0; i < 2 * COUNT; i++) expect(await height(node)).toBe(result?.height)
  expect([await node.stop(), await writer.stop()]).toEqual([0, 0])
})

test("a chain that cannot be served ends the main process with one line, and --api-workers names what to use", () => {
  const missing = join(built.folder, "missing")
  const { code, stderr } = runBin(built.bin, ["serve", "--data-dir", missing, "--processes", "2", "--http-port", "0"])
  expect([code, stderr.split("\n")]).toEqual([1, [expect.stringMatching(/^serac: store\.missing: /), ""]])
  expect(runBin(built.bin, ["--api-workers", "2", "--ephemeral"])).toMatchObject({
    code: 1,
    stderr:
      "serac: cli.removed_flag: there is no such flag any more (flag: --api-workers, instead: serac serve --processes N, alone or beside the node that writes)\n",
  })
})
