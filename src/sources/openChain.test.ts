import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { run } from "../../test/terminal.js"
import { defaultSnowParameters } from "../core/consensus/snowman/parameters.js"
import { silentLog } from "../core/lib/log.js"
import { type ChainIdentity, identityText, parseIdentity } from "../core/networks/chainIdentity.js"
import { parseIpPort } from "../core/p2p/ipPort.js"
import type { NodeID } from "../core/types/id.js"
import { openStore } from "../datadir/openStore.js"
import { chainDir } from "../datadir/places.js"
import { newChainID } from "../datadir/storedIdentity.js"
import { startDevnet } from "../devnet/devnet.js"
import { startFollowing } from "./followed/follow.js"
import { startJoinedNode } from "./joined/joinedNode.js"
import { defaultNetworkSettings } from "./joined/networkSettings.js"
import { startServing } from "./served/serve.js"

const START = 1_900_000_000n

const temporary = () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-kind-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const common = { dialect: "contract", isPublic: false, log: silentLog, wall: () => Date.now() } as const

const startPrivate = (dataDir: string) => startDevnet({ port: false, dataDir, startTime: START, freezeTime: true, accounts: 0 })

/** Starts and stops a private chain. */
async function privateDirectory(): Promise<string> {
  const dataDir = temporary()
  await (await startPrivate(dataDir)).stop()
  return dataDir
}

/** Joins the local network through a node that does not exist. */
async function joinNetwork(dataDir: string, more: object = {}): Promise<void> {
  const node = await startJoinedNode({
    ...common,
    join: {
      bootstrappers: [{ nodeID: "aa".repeat(20) as NodeID, address: parseIpPort("127.0.0.1:1") }],
      host: "127.0.0.1",
      port: 0,
      publicIp: { ip: Uint8Array.of(127, 0, 0, 1), port: 0 },
      dialsPrivate: true,
      parameters: defaultSnowParameters,
      network: defaultNetworkSettings,
    },
    dataDir,
    choice: { now: START },
    ...more,
  })
  await node.stop()
}

async function withStore<T>(dataDir: string, use: (store: ReturnType<typeof openStore>) => T): Promise<T> {
  const store = openStore(chainDir(dataDir))
  try {
    return use(store)
  } finally {
    await store.close()
  }
}

const identityIn = (dataDir: string): Promise<ChainIdentity | undefined> =>
  withStore(dataDir, (store) => {
    const text = store.getMeta("identity")
    return text === undefined ? undefined : parseIdentity(text)
  })

const setIdentity = (dataDir: string, identity: ChainIdentity | undefined) =>
  withStore(dataDir, (store) => store.putMeta({ identity: identity && identityText(identity) }))

test("a joined directory is refused as a private chain by every way to start one, with both ways on, and can be joined again", async () => {
  const dataDir = temporary()
  await joinNetwork(dataDir)
  const joined = await identityIn(dataDir)
  expect(joined).toEqual({ kind: "joined", id: expect.stringMatching(/^12345-[1-9A-HJ-NP-Za-km-z]{40,50}$/) })
  const files = readdirSync(dataDir)
  for (const words of [["node"], ["node", "--reset"]]) {
    const { code, stderr } = await run([...words, "--data-dir", dataDir, "--http-port", "0"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("serac: node.was_joined: ")])
    expect(stderr).toContain("--bootstrap-ips")
    expect(stderr).toContain("--fork DIR")
  }
  await expect(startDevnet({ port: false, dataDir })).rejects.toMatchObject({ code: "node.was_joined" })
  await joinNetwork(dataDir)
  const fork = await startDevnet({ port: false, fork: dataDir })
  await fork.stop()
  expect([await identityIn(dataDir), readdirSync(dataDir)]).toEqual([joined, files])
})

test("a copy of a chain is refused as a private chain", async () => {
  const source = await startDevnet({ startTime: START, freezeTime: true })
  onTestFinished(() => source.stop())
  const dataDir = temporary()
  const copy = await startFollowing({ ...common, follow: { urls: [source.url], http: {} }, choice: { now: START }, dataDir })
  await copy.stop()
  expect(await identityIn(dataDir)).toMatchObject({ kind: "followed" })
  const { code, stderr } = await run(["node", "--data-dir", dataDir, "--http-port", "0"])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^serac: node\.was_followed: .*serac follow URL.*--fork DIR/)])
})

test("a private directory cannot be joined or followed, and a served one stays what it is", async () => {
  const dataDir = await privateDirectory()
  const own = await identityIn(dataDir)
  expect(own).toEqual({ kind: "private", id: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{40,50}$/) })
  await expect(joinNetwork(dataDir)).rejects.toMatchObject({ code: "node.was_private", data: { kind: "private" } })
  const flags = ["--bootstrap-ips", "127.0.0.1:1", "--bootstrap-ids", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"]
  const { code, stderr } = await run(["node", "--data-dir", dataDir, "--http-port", "0", "--staking-port", "0", ...flags])
  expect([code, stderr.split("\n").filter((line) => line.startsWith("serac:"))]).toEqual([
    1,
    [expect.stringContaining("serac: node.was_private: ")],
  ])
  const source = await startDevnet({ startTime: START, freezeTime: true })
  onTestFinished(() => source.stop())
  const following = startFollowing({ ...common, follow: { urls: [source.url], http: {} }, choice: { now: START }, dataDir })
  await expect(following).rejects.toMatchObject({ code: "node.was_private" })
  const served = await startServing({ ...common, dataDir })
  await served.stop()
  expect(await identityIn(dataDir)).toEqual(own)
})

test("a chain keeps its ID over restarts, in backups and in state files; a reset, a fork and another chain get new ones", async () => {
  const dataDir = await privateDirectory()
  const own = (await identityIn(dataDir))!
  const again = await startPrivate(dataDir)
  await again.dev.reset()
  const state = await again.dev.dumpState()
  await again.stop()
  expect(await identityIn(dataDir)).toEqual(own)
  const backup = join(temporary(), "copy")
  expect((await run(["backup", backup, "--data-dir", dataDir])).code).toBe(0)
  expect(await identityIn(backup)).toEqual(own)
  const loaded = temporary()
  const bytes = Buffer.from(state.state as string, "base64")
  await (await startDevnet({ port: false, dataDir: loaded, loadState: bytes })).stop()
  expect(await identityIn(loaded)).toEqual(own)

  const forked = join(temporary(), "fork")
  const fork = await startDevnet({ port: false, fork: dataDir, dataDir: forked })
  await fork.stop()
  const copyOfFork = join(temporary(), "copy")
  expect((await run(["backup", copyOfFork, "--data-dir", forked])).code).toBe(0)
  const forkID = (await identityIn(copyOfFork))!
  await (await startPrivate(copyOfFork)).stop()
  expect(await identityIn(copyOfFork)).toEqual(forkID)
  await (await startDevnet({ port: false, dataDir, reset: true })).stop()
  const reset = (await identityIn(dataDir))!
  expect([forkID.kind, reset.kind]).toEqual(["fork", "private"])
  expect(new Set([own.id, forkID.id, reset.id, (await identityIn(await privateDirectory()))!.id]).size).toBe(4)
})

test("a network's copy can be joined and followed in turn, a copy of a private chain cannot be joined", async () => {
  const dataDir = temporary()
  await joinNetwork(dataDir)
  const { id } = (await identityIn(dataDir))!
  await setIdentity(dataDir, { kind: "followed", id })
  await joinNetwork(dataDir)
  expect(await identityIn(dataDir)).toEqual({ kind: "joined", id })
  await setIdentity(dataDir, { kind: "followed", id: newChainID() })
  await expect(joinNetwork(dataDir)).rejects.toMatchObject({ code: "node.was_private", data: { kind: "followed" } })
})
