import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { avm, info, pvm, pvmSerial } from "@avalabs/avalanchejs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { needsJudge } from "../goverify.js"
import { run as serac } from "../terminal.js"
import { calls } from "./avalanchejs/calls.js"
import { steps } from "./avalanchejs/transactions.js"
import { Wallet } from "./avalanchejs/wallet.js"
import { openWorld, type World } from "./avalanchejs/world.js"
import { AVAX, DAY, PRIMARY_NETWORK } from "./made.js"
import { outputOf, programAt } from "./program.js"

const goverify = programAt("SERAC_GOVERIFY")

describe.each(["contract", "avalanchego"] as const)("in the %s dialect", (dialect) => {
  let world: World

  beforeAll(async () => {
    world = await openWorld(dialect)
  })
  afterAll(() => world.stop())

  describe("avalanchejs builds, signs, issues and awaits", () => {
    for (const { builder, title, run } of steps) test(`${builder}: ${title}`, () => run(world))

    test("every kind of transaction that it has a builder for", () => {
      const builders = Object.keys(pvm).filter((name) => /^new\w+Tx$/.test(name))
      expect([...new Set<string>(steps.map(({ builder }) => builder))].sort()).toEqual(builders.sort())
    })
  })

  describe("avalanchejs asks", () => {
    for (const { api, method, title, run } of calls) test(`${api}.${method}: ${title}`, () => run(world))

    test("the X-Chain for the data that wallets read before they build a transaction, and gets no UTXOs", async () => {
      const api = new avm.AVMApi(world.devnet.url)
      const address = "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
      const { assetID } = await api.getAssetDescription("AVAX")
      expect(assetID).toBe((await world.dev("platform.getStakingAssetID")).assetID)
      expect(await api.getTxFee()).toEqual({ txFee: 1_000_000n, createAssetTxFee: 1_000_000n })
      expect((await api.getUTXOs({ addresses: [address] })).utxos).toEqual([])
      expect(await api.getAllBalances({ address })).toEqual({ balances: [] })
    })

    test("every method that its two clients have", () => {
      const asked = (api: string) => calls.filter((call) => call.api === api).map(({ method }) => method)
      expect(asked("PVMApi").sort()).toEqual(methodsOf(new pvm.PVMApi(world.devnet.url)))
      expect(asked("InfoApi").sort()).toEqual(methodsOf(new info.InfoApi(world.devnet.url)))
    })
  })

  describe("the chain that avalanchejs made", () => {
    test("is accepted by AvalancheGo's own VM, block by block, and ends in the same state", needsJudge, async () => {
      const { devnet, dataDir, dev } = world
      const { height } = await dev("platform.getHeight")
      const lines: unknown[] = []
      for (let at = 1; at <= Number(height); at++) lines.push((await dev("platform.getBlockByHeight", { height: at })).block)
      const schedule = await dev("info.upgrades")
      await devnet.stop()
      const [blocks, atomic, upgrades] = ["blocks.txt", "atomic.txt", "upgrades.json"].map((name) => join(dataDir, name)) as [
        string,
        string,
        string,
      ]
      writeFileSync(blocks, lines.join("\n"))
      writeFileSync(upgrades, printJson(schedule as Json))
      writeFileSync(atomic, (await serac(["state", "--data-dir", dataDir, "--atomic"])).stdout)
      const output = await outputOf(goverify as string, ["-q", "-upgrades", upgrades, "-atomic", atomic, blocks])
      expect(output).toContain(`${height} blocks accepted`)
      const state = await serac(["state", "--data-dir", dataDir, "--json"])
      const digest = output.split("\n").find((line) => line.startsWith("digest ")) as string
      expect(parseJson(digest.slice("digest ".length))).toEqual((parseJson(state.stdout) as Record<string, unknown>).digest)
    })
  })
})

test("avalanchejs stakes funds that are locked, and gets them back locked", async () => {
  const devnet = await startDevnet({ accounts: 1 })
  try {
    const { dev, rpc, keys } = devnet
    const wallet = await Wallet.open(devnet.url)
    const key = wallet.key(keys[2]!.privateKey)
    const [clock, addresses] = [devnet.now(), [key.address]]
    const locked = { amount: String(500n * AVAX), stakeableLocktime: String(clock + 400n * DAY) }
    await dev.fund({ address: key.address, ...locked })
    const [nodeId] = (await dev.addValidators({ count: 1 })).nodeIDs as [string]
    const stake = { nodeId, subnetId: PRIMARY_NETWORK, start: 0n, end: clock + 30n * DAY, weight: 300n * AVAX }
    const txID = await wallet.issue(
      (common) => pvm.newAddPermissionlessDelegatorTx({ ...common, ...stake, rewardAddresses: [key.bytes] }, wallet.context),
      { from: [key] },
    )
    expect((await wallet.platform.getBalance({ addresses })).lockedStakeable).toBe(200n * AVAX)
    const { stakedOutputs } = await wallet.platform.getStake({ addresses })
    expect(stakedOutputs.map(({ output }) => output instanceof pvmSerial.StakeableLockOut)).toEqual([true])
    await dev.advanceTime({ seconds: String(31n * DAY) })
    expect((await wallet.platform.getBalance({ addresses })).lockedStakeable).toBe(500n * AVAX)
    expect((await rpc("platform.getRewardUTXOs", { txID })).numFetched).toBe(1)
  } finally {
    await devnet.stop()
  }
})

/** The names of an object's methods, own and inherited ones, without those that set options or are internal. */
function methodsOf(api: object): string[] {
  const names = new Set<string>()
  for (let each = api; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) {
      if (typeof (api as Record<string, unknown>)[name] === "function") names.add(name)
    }
  }
  const own = ["constructor", "setFetchOptions", "callRpc", "getMethodName"]
  return [...names].filter((name) => !own.includes(name)).sort()
}
