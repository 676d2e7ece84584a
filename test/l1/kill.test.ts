import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { type Call, httpClient } from "../../src/client/client.js"
import { seracOfFile } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("l1-kill")
const kills = attempts(50)
const to = "0x00000000000000000000000000000000000000aa"

/** Starts a node with an L1, and waits until the L1 answers. Without a directory nothing is stored. */
async function start(dir?: string, temporary = tmpdir()) {
  const data = dir === undefined ? ["--ephemeral"] : ["--data-dir", dir]
  const args = [...data, "--http-port", "0", "--json", "--log-level", "error", "--plugin-dir", pluginDir, "--c-chain", "off"]
  const child = spawn(process.execPath, [built.bin, ...args, "--l1", "mine=subnet-evm"], {
    stdio: ["ignore", "pipe", "ignore"],
    // It has a process group of its own.
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const url = JSON.parse(String(line)).url as string
  return { child, ended: once(child, "exit"), call: httpClient(url), rpcUrl: `${url}/ext/bc/mine/rpc` }
}

const l1Of = async (call: Call) => {
  const l1 = (await call("dev.listL1s")).l1s[0]
  if (!l1) throw new Error("the L1 is missing")
  return l1
}

/**
 * Pays again and again until something fails. Returns the next nonce: that after the last receipt which was seen. `begun` is called after the
 * first receipt, because on a busy machine it may take longer than any moment of a kill.
 */
async function payUntilFailure(rpcUrl: string, call: Call, first: number, begun: () => void): Promise<number> {
  const { keys, evmChainID } = await l1Of(call)
  const privateKey = keys[0]?.privateKey as string
  let nonce = first
  try {
    for (;;) {
      const raw = signedTransfer({ chainID: evmChainID as bigint, nonce, to, value: 1n, privateKey })
      await receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
      if (nonce++ === first) begun()
    }
  } catch {
    return nonce
  }
}

/** The nonce of the payer, which is the number of its payments. */
async function paid(rpcUrl: string, call: Call): Promise<number> {
  const { keys } = await l1Of(call)
  return Number(await eth(rpcUrl, "eth_getTransactionCount", [keys[0]?.address, "latest"]))
}

test(`a node that is killed ${kills} times loses no block whose receipt was seen, and leaves no plugin`, {
  ...needsPlugin("subnet-evm"),
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const random = new Random(seed("moments of killing a node with an L1"))
  const dir = join(built.folder, "node")
  let nonce = 0
  for (let round = 0; round < kills; round++) {
    const { child, ended, call, rpcUrl } = await start(dir)
    const kept = await paid(rpcUrl, call)
    expect(kept, `round ${round}`).toBeGreaterThanOrEqual(nonce)
    const { pid } = await l1Of(call)
    const moment = random.below(400)
    nonce = await payUntilFailure(rpcUrl, call, kept, () => setTimeout(() => child.kill("SIGKILL"), moment))
    await ended
    await vi.waitFor(() => expect(() => process.kill(pid as number, 0)).toThrow(), 5000)
  }
  expect(nonce).toBeGreaterThanOrEqual(kills)
})

test(`a plugin that is killed ${kills} times loses no block whose receipt was seen`, {
  ...needsPlugin("subnet-evm"),
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const random = new Random(seed("moments of killing a plugin"))
  const { child, ended, call, rpcUrl } = await start(join(built.folder, "plugin"))
  let nonce = 0
  for (let round = 0; round < kills; round++) {
    await vi.waitFor(async () => expect((await l1Of(call)).state).toBe("running"), 30_000)
    const kept = await paid(rpcUrl, call)
    expect(kept, `round ${round}`).toBeGreaterThanOrEqual(nonce)
    const { pid } = await l1Of(call)
    const moment = random.below(400)
    nonce = await payUntilFailure(rpcUrl, call, kept, () => setTimeout(() => process.kill(pid as number, "SIGKILL"), moment))
    await vi.waitFor(async () => expect((await l1Of(call)).pid).not.toBe(pid), 30_000)
    // The pauses grow with each failure in a row.
    if ((await l1Of(call)).state === "restarting") await call("dev.startL1", { name: "mine" })
    expect(await call("platform.getHeight")).toBeDefined()
  }
  child.kill("SIGKILL")
  await ended
})

test.each([
  ["is killed", (_pid: number) => {}],
  ["is killed after its process group was told to end", (pid: number) => process.kill(-pid, "SIGTERM")],
])(
  "a node that stores nothing leaves neither a plugin nor a folder when it %s",
  needsPlugin("subnet-evm"),
  async (_how, before) => {
    const temporary = mkdtempSync(join(built.folder, "tmp-"))
    const { child, ended, call } = await start(undefined, temporary)
    const { pid } = await l1Of(call)
    const [own, ofPlugin] = readdirSync(temporary).sort()
    expect([own, ofPlugin]).toEqual([expect.stringMatching(/^serac-l1-[^-]+$/), expect.stringMatching(/^serac-l1-tmp-/)])
    const files = readdirSync(join(temporary, ofPlugin as string)).sort()
    expect(files).toEqual(["clock", expect.stringMatching(/^subnet-evm-keystore/)])
    before(child.pid as number)
    child.kill("SIGKILL")
    await ended
    await vi.waitFor(() => {
      expect(() => process.kill(pid as number, 0)).toThrow()
      expect(readdirSync(temporary)).toEqual([])
    }, 5000)
  },
)
