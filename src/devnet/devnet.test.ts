import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { configToJson } from "../core/genesis/configJson.js"
import { localConfig } from "../core/genesis/local.js"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import { printJson } from "../core/lib/json.js"
import { type Devnet, startDevnet } from "./devnet.js"

const START = 1_900_000_000n
const YEAR = 365 * 86_400

describe("a private chain in process", () => {
  let net: Devnet
  beforeAll(async () => {
    net = await startDevnet({
      port: false,
      startTime: START,
      freezeTime: true,
      accounts: 2,
      flags: { "min-stake-duration": "5s" },
    })
  })
  afterAll(() => net.stop())

  test("has funded keys, answers directly, and starts its clock at the given time", async () => {
    expect(net.url).toBe("")
    // 30 million AVAX of genesis, less the balances of the two accounts, less 6,259 gas for one input and three outputs.
    expect(net.keys.map(({ balance }) => balance)).toEqual([
      30_000_000_000_000_000n - 200_000_000_000_000n - 6_259n,
      0n,
      100_000_000_000_000n,
      100_000_000_000_000n,
    ])
    expect(net.keys[0]?.privateKey).toBe("PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN")
    expect(net.accounts).toEqual(net.keys.slice(2))
    const { balance } = await net.rpc("platform.getBalance", { addresses: [net.accounts[0]?.address ?? ""] })
    expect(balance).toBe(100_000_000_000_000n)
    expect(await net.dev.status()).toMatchObject({ clock: printRfc3339(START), frozen: true, height: 1n })
  })

  test("refuses as the API does, with the code and its data", async () => {
    const txID = "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm"
    await expect(net.rpc("platform.getTx", { txID })).rejects.toMatchObject({
      code: "platform.unknown_tx",
      message: `no accepted transaction has this ID (txID: ${txID})`,
      data: { method: "platform.getTx", rpcCode: -32000, txID },
    })
  })

  test("travels a year, in which the five validators leave and stake again", async () => {
    const { id } = await net.dev.snapshot()
    const travelled = await net.dev.advanceTime({ seconds: YEAR })
    expect(travelled).toMatchObject({ clock: printRfc3339(START + BigInt(YEAR)), rewarded: 5, aborted: 0 })
    const { validators } = await net.rpc("platform.getCurrentValidators")
    expect(validators).toHaveLength(5)
    expect((await net.dev.revert({ id })).height).toBe(1n)
  })
})

describe("ten accounts are funded in the first block of a new chain with the built-in genesis", () => {
  const AVAX = 1_000_000_000n
  const owned = (net: Devnet) => net.keys.slice(2).map(({ balance }) => balance)
  const ten = Array<bigint>(10).fill(100_000n * AVAX)

  test("by one real transaction, also after a reset", async () => {
    await using net = await startDevnet({ port: false, startTime: START, freezeTime: true })
    const first = async () => {
      const { block } = await net.rpc("platform.getBlockByHeight", { height: 1, encoding: "json" })
      return block as { readonly txs: readonly { readonly unsignedTx: { readonly outputs: readonly object[] } }[] }
    }
    expect(owned(net)).toEqual(ten)
    expect(await net.dev.status()).toMatchObject({ height: 1n, overrides: 0 })
    // The ten, and the change.
    expect((await first()).txs.map(({ unsignedTx }) => unsignedTx.outputs.length)).toEqual([11])
    const before = await first()
    await net.dev.mine({ blocks: 1, filler: true })
    expect(await net.dev.reset()).toEqual({ height: 1n })
    expect(await first()).toEqual(before)
  })

  test("with their keys in every form", async () => {
    await using net = await startDevnet({ port: false, accounts: 1 })
    expect(net.keys.at(-1)).toEqual({
      privateKey: "PrivateKey-Fapb8hTUMABpZc9zWurmPR7why34LQNshss5RZHgCAgiY5n83",
      privateKeyHex: "0x211cdc80c23ccc8eceab5d6903312391e656366a7a553e2c501b06add1729816",
      address: "P-local1yljhuvjkmtu0y5ls6kf4exsdd8gea9mp7pshft",
      evmAddress: "0x5a299B0010BAc9c0339B6EF600B1f2943131b1e7",
      path: "m/44'/9000'/0'/0/0",
      balance: 100_000n * AVAX,
    })
  })

  test("not with --accounts 0, with a genesis file, or where the rules know no payments", async () => {
    const genesis = printJson(configToJson(localConfig(1337)))
    for (const options of [{ accounts: 0 }, { networkID: 1337, genesis }, { upgrade: "cortina" }]) {
      await using net = await startDevnet({ port: false, startTime: 1_721_100_000n, ...options })
      expect([options, owned(net), (await net.dev.status()).height]).toEqual([options, [], 0n])
    }
  })

  test("on a chain that exists only where accounts are asked for, and then those that own nothing", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "serac-accounts-"))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const heights: bigint[] = []
    const start = async (accounts?: number) => {
      await using net = await startDevnet({ port: false, dataDir, ...(accounts === undefined ? {} : { accounts }) })
      heights.push((await net.dev.status()).height)
      return owned(net)
    }
    expect(await start(0)).toEqual([])
    expect(await start()).toEqual([])
    expect(await start(1)).toEqual(ten.slice(0, 1))
    expect(await start(3)).toEqual(ten.slice(0, 3))
    expect(await start(3)).toEqual(ten.slice(0, 3))
    expect(heights).toEqual([0n, 0n, 1n, 2n, 2n])
  })
})

test("many run at once, each with a port of its own", async () => {
  const nets = await Promise.all([0, 1, 2].map(() => startDevnet()))
  try {
    expect(new Set(nets.map(({ url }) => url)).size).toBe(3)
    for (const { url } of nets) {
      const response = await fetch(`${url}/ext/bc/P`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"jsonrpc":"2.0","id":7,"method":"platform.getHeight"}',
      })
      expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 7, result: { height: "1" } })
    }
  } finally {
    await Promise.all(nets.map((each) => each.stop()))
  }
})

test("Mainnet and Fuji cannot be started as private chains, on which one could stake, travel and mint", async () => {
  for (const [networkID, network] of [
    [1, "mainnet"],
    [5, "fuji"],
  ] as const) {
    await expect(startDevnet({ networkID, port: false })).rejects.toMatchObject({ code: "node.production", data: { network } })
  }
})

test("`await using` stops it where its block ends", async () => {
  let url = ""
  {
    await using net = await startDevnet()
    url = net.url
    expect((await fetch(`${url}/ext/health`)).status).toBe(200)
  }
  await expect(fetch(`${url}/ext/health`)).rejects.toThrow()
})

describe("options that the command line has too", () => {
  test("a dumped state starts with the flags of its chain, of which one implies another", async () => {
    const options = { port: false, accounts: 1, flags: { "min-stake-duration": "5s" } } as const
    await using first = await startDevnet(options)
    const { state } = await first.dev.dumpState()
    await using second = await startDevnet({ ...options, loadState: Buffer.from(state, "base64") })
    expect(await second.rpc("platform.getHeight")).toEqual(await first.rpc("platform.getHeight"))
  })

  test("a price at which the fees of L1 validators overflow before the year 9999 is refused", async () => {
    const started = (price: string) => startDevnet({ port: false, flags: { "validator-fees-min-price": price } })
    const refusal = await started("1000000000").catch((error) => error)
    expect(refusal).toMatchObject({
      code: "network.fees_overflow",
      data: { minPrice: 1_000_000_000n, highest: expect.any(BigInt) },
    })
    const { highest } = refusal.data
    await expect(started(`${highest + 1n}`)).rejects.toMatchObject({ code: "network.fees_overflow" })
    await using devnet = await started(`${highest}`)
    expect(await devnet.dev.mine({ blocks: 1, filler: true })).toMatchObject({ blocks: 1 })
  })

  test("another chain starts from a dumped state, and a stored chain can be started again from genesis", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "serac-devnet-"))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const first = await startDevnet({ port: false, dataDir, accounts: 1 })
    await first.dev.mine({ blocks: 3, filler: true })
    const { state } = await first.dev.dumpState()
    const { height } = await first.dev.status()
    await first.stop()
    const second = await startDevnet({ port: false, loadState: Buffer.from(state, "base64") })
    expect((await second.dev.status()).height).toBe(height)
    await second.stop()
    const third = await startDevnet({
      port: false,
      dataDir,
      accounts: 0,
      reset: true,
      warpLag: true,
      noRenewValidators: true,
      mempoolMaxGas: 5_000_000,
    })
    expect((await third.dev.status()).height).toBe(0n)
    await third.stop()
  })

  test("a directory that no file system makes is refused at once", async () => {
    await expect(startDevnet({ port: false, dataDir: "/proc/1/x" })).rejects.toMatchObject({ code: "store.not_writable" })
  })

  test("a chain that was made with the default of a rule names this value when another one is given", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "serac-devnet-"))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    await (await startDevnet({ port: false, dataDir, accounts: 0 })).stop()
    const dataOf = (flags: Record<string, string>) =>
      startDevnet({ port: false, dataDir, flags }).then(String, ({ data }) => data)
    expect([
      await dataOf({ "min-delegator-stake": "7" }),
      await dataOf({ "min-stake-duration": "1m" }),
      await dataOf({ "helicon-min-stake-duration": "5s" }),
      await dataOf({ "uptime-requirement": "0.5" }),
    ]).toEqual([
      { flag: "min-delegator-stake", got: "7", expected: "25000000000" },
      { flag: "min-stake-duration", got: "1m", expected: "86400s" },
      { flag: "helicon-min-stake-duration", got: "5s", expected: "3600s" },
      { flag: "uptime-requirement", got: "0.5", expected: "0.8" },
    ])
  })
})

test("a call after the stop is refused", async () => {
  const net = await startDevnet({ port: false, accounts: 0 })
  await net.stop()
  await expect(net.rpc("platform.getHeight")).rejects.toMatchObject({ code: "node.stopped" })
  await expect(net.dev.status()).rejects.toMatchObject({ code: "node.stopped" })
})

test("a relay without plugins is refused by the name of the option", async () => {
  await expect(startDevnet({ autoRelay: true })).rejects.toMatchObject({ code: "node.bad_option", data: { option: "autoRelay" } })
})
