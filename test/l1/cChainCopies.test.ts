import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type Log, silentLog } from "../../src/core/lib/log.js"
import { hashedTables, tables } from "../../src/core/state/tables.js"
import { type Devnet, type DevnetCChain, startDevnet } from "../../src/devnet/devnet.js"
import { startServing } from "../../src/sources/served/serve.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { factsOf } from "../sync/factsOf.js"
import { startCopy } from "../sync/followNodes.js"
import { run } from "../terminal.js"
import { AtomicWallet } from "./cChain.js"
import { startWithCChain } from "./conservation.js"
import { needsPlugin } from "./plugins.js"

const folder = mkdtempSync(join(tmpdir(), "serac-c-chain-copies-"))
const source = join(folder, "source")
const AVAX = 10n ** 9n
let devnet: Devnet & { readonly cChain: DevnetCChain }
let user: AtomicWallet

const openWallet = () =>
  AtomicWallet.open(devnet.url, { privateKey: devnet.keys[0]!.privateKey, evm: devnet.cChain.keys[0]! }, devnet.cChain)

/** Moves AVAX in both directions. In each of them some waits in the end, and the C-Chain's was put after the last block of the P-Chain. */
async function moveAvax(): Promise<void> {
  await user.exportFromC(5n * AVAX)
  await user.importToP()
  await user.exportFromP(4n * AVAX)
  await user.importToC()
  await user.exportFromP(3n * AVAX)
  await user.exportFromC(2n * AVAX)
}

/** A log, and what it was told of chains that are not copied. */
function listeningLog() {
  const said: unknown[] = []
  const info: Log["info"] = (event, data) => void (event.startsWith("only the P-Chain is here") && said.push(data))
  return { said, log: { ...silentLog, info } }
}

/** Expects that a node says at the address of the C-Chain that it does not run it. */
async function expectNoCChain(url: string | undefined): Promise<void> {
  const answer = await fetch(`${url}/ext/bc/C/rpc`, { method: "POST", body: "{}" })
  expect([answer.status, await answer.text()]).toEqual([
    404,
    expect.stringContaining("the C-Chain and L1s run beside a private chain"),
  ])
}

/** The P-Chain's answers about what waits. */
const questions = () => [
  ["platform.getHeight", {}] as const,
  ["platform.getUTXOs", { addresses: [user.key.address], sourceChain: "C" }] as const,
  ["platform.getBalance", { addresses: [user.key.address] }] as const,
]

describe("copies of a P-Chain with a C-Chain beside it", { ...needsPlugin("coreth"), timeout: 120_000 }, () => {
  beforeAll(async () => {
    if (needsPlugin("coreth").skip) return
    devnet = await startWithCChain({ dataDir: source })
    user = await openWallet()
    await moveAvax()
  }, 60_000)
  afterAll(async () => {
    await devnet?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test("a node that follows it has what went between the chains, also after its last block, and what goes between them later", async () => {
    expect(hashedTables).toContain(tables.atomicUtxos)
    const dataDir = join(folder, "followed")
    const follows = async () => {
      const { overrides } = await factsOf(source)
      await vi.waitFor(async () => expect((await factsOf(dataDir)).overrides).toHaveLength(overrides.length), 20_000)
    }
    {
      const { said, log } = listeningLog()
      await using copy = await startCopy([devnet.url], dataDir, { http: { port: 0 }, log })
      expect(said).toEqual([{ from: devnet.url }])
      await expectNoCChain(copy.listening?.url)
      await copy.reaches(BigInt((await devnet.dev.status()).height))
      await follows()
      await user.exportFromC(AVAX)
      await follows()
      await moveAvax()
      await follows()
      for (const [method, params] of questions()) {
        const { body } = await ask(copy, method, params)
        expect([method, body.result]).toEqual([method, (await ask({ listening: devnet } as never, method, params)).body.result])
      }
      const { body } = await ask(copy, "platform.getBlockchainStatus", { blockchainID: "C" })
      expect(body.result).toEqual({ status: "Created" })
    }
    expect(await factsOf(dataDir)).toEqual(await factsOf(source))
  })

  test("a fork of its URL has what waits and no C-Chain, and goes on", async () => {
    await using fork = await startDevnet({ fork: devnet.url, dataDir: join(folder, "fork") })
    for (const [method, params] of questions())
      expect(await fork.rpc(method as never, params as never)).toEqual(await devnet.rpc(method as never, params as never))
    expect((await fork.dev.status()).cChain).toBeUndefined()
    await expectNoCChain(fork.url)
    const forked = await AtomicWallet.open(fork.url, { privateKey: fork.keys[0]!.privateKey, evm: user.evm }, devnet.cChain)
    expect(await forked.waitingForP()).toBe(await user.waitingForP())
    await forked.importToP()
    expect(await forked.waitingForP()).toBe(0n)
    expect(await user.waitingForP()).toBeGreaterThan(0n)
  })

  test("an export replays to the same state, and so does the deep check", async () => {
    const [file, dataDir] = [join(folder, "blocks.txt"), join(folder, "replayed")]
    const { stdout, stderr, code } = await run(["export", "blocks", "--data-dir", source])
    expect([code, stderr]).toEqual([0, expect.stringContaining("only the P-Chain is here")])
    writeFileSync(file, stdout)
    expect(await run(["replay", "--blocks", file, "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" })
    expect(await factsOf(dataDir)).toEqual(await factsOf(source))
    const digests = [source, dataDir].map(
      async (dir) => JSON.parse((await run(["state", "--data-dir", dir, "--json"])).stdout).digest,
    )
    const [of, replayed] = await Promise.all(digests)
    expect(replayed).toEqual(of)
    expect(await run(["state", "--data-dir", source, "--deep"])).toMatchObject({ code: 0 })
  })

  test("a backup has both chains, which go on from there", async () => {
    const target = join(folder, "backup")
    expect(await run(["backup", "--data-dir", source, target])).toMatchObject({ code: 0 })
    const [waiting, onC, onP] = [await user.waitingForP(), await user.weiBalance(), await user.wallet.balance(user.key)]
    const { said, log } = listeningLog()
    const served = { dataDir: target, dialect: "contract", isPublic: false, http: { port: 0 }, log, wall: Date.now } as const
    const server = await startServing(served)
    await expectNoCChain(server.listening?.url)
    await server.stop()
    expect(said).toEqual([{ from: target, hosted: "C" }])
    await using restored = await startWithCChain({ dataDir: target })
    const keys = { privateKey: restored.keys[0]!.privateKey, evm: restored.cChain.keys[0]! }
    const again = await AtomicWallet.open(restored.url, keys, restored.cChain)
    expect([await again.waitingForP(), await again.weiBalance(), await again.wallet.balance(again.key)]).toEqual([
      waiting,
      onC,
      onP,
    ])
    await again.importToP()
    await again.importToC()
  })

  test("a published chain has what waits", needsPostgres, async () => {
    const { url, close } = await newDatabase()
    await using publisher = await startCopy([devnet.url], undefined, { publish: url, snapshotEvery: 1 })
    const { said, log } = listeningLog()
    const reader = await startReader(url, "contract", log)
    expect(said).toHaveLength(1)
    try {
      for (let round = 0; round < 2; round++) {
        const height = BigInt((await devnet.dev.status()).height)
        await publisher.reaches(height)
        await caughtUp(reader, height)
        for (const [method, params] of questions()) {
          const due = (await ask({ listening: devnet } as never, method, params)).body.result
          await vi.waitFor(
            async () => expect([method, (await ask(reader, method, params)).body.result]).toEqual([method, due]),
            20_000,
          )
        }
        await moveAvax()
      }
    } finally {
      await reader.stop()
      await close()
    }
  })
})
