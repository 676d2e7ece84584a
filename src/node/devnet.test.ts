import { afterAll, beforeAll, describe, expect, test } from "vitest"
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

  test("has funded keys, answers directly, and its clock starts where it is told to", async () => {
    expect(net.url).toBe("")
    // 30 million AVAX of genesis, less what the two accounts got, less 6,259 gas for one input and three outputs.
    expect(net.keys.map(({ balance }) => balance)).toEqual([
      30_000_000_000_000_000n - 200_000_000_000_000n - 6_259n,
      0n,
      100_000_000_000_000n,
      100_000_000_000_000n,
    ])
    expect(net.keys[0]?.privateKey).toBe("PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN")
    const { balance } = await net.rpc("platform.getBalance", { addresses: [net.keys[2]?.address ?? ""] })
    expect(balance).toBe("100000000000000")
    expect(await net.dev.status()).toMatchObject({ clock: String(START), frozen: true, height: "1" })
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
    expect(travelled).toMatchObject({ clock: String(Number(START) + YEAR), rewarded: 5, aborted: 0 })
    const { validators } = await net.rpc("platform.getCurrentValidators")
    expect(validators).toHaveLength(5)
    expect((await net.dev.revert({ id })).height).toBe("1")
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
      expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 7, result: { height: "0" } })
    }
  } finally {
    await Promise.all(nets.map((each) => each.stop()))
  }
})

test("mainnet and Fuji are not made up: nobody can stake, travel or mint there", async () => {
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
