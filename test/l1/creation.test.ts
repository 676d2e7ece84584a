import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ID, idText } from "../../src/core/types/id.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { developerGenesis } from "../../src/hosting/developerChain.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const to = "0x00000000000000000000000000000000000000aa"

describe("the creation of an L1 with subnet-evm", { ...needsPlugin("subnet-evm"), timeout: 60_000 }, () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
  })
  afterAll(() => devnet?.stop())

  test("leaves nothing if the plugin refuses the genesis, so that the name can be used again", async () => {
    const facts = async () => [await devnet.rpc("platform.getHeight"), (await devnet.dev.listL1s()).l1s.map(({ name }) => name)]
    const before = await facts()
    await expect(devnet.createL1({ name: "five", vm: "subnet-evm", genesis: {} })).rejects.toMatchObject({
      code: "vm.refused",
      data: { reason: expect.stringContaining("missing required field 'gasLimit'") },
    })
    expect(await facts()).toEqual(before)
    const given = JSON.parse(Buffer.from(developerGenesis(99_100n, [])).toString())
    expect(await devnet.createL1({ name: "five", vm: "subnet-evm", genesis: given })).toMatchObject({ state: "running" })
  })

  test("merges a configuration over the developer's defaults", async () => {
    const { rpcUrl } = await devnet.createL1({ name: "merged", vm: "subnet-evm", config: { "log-level": "warn" } })
    await expect(eth(rpcUrl, "debug_traceBlockByNumber", ["0x0", {}])).rejects.toThrow("genesis is not traceable")
    expect(await eth(rpcUrl, "txpool_status")).toEqual({ pending: "0x0", queued: "0x0" })
    await expect(eth(rpcUrl, "warp_getMessage", [idText("11".repeat(32) as ID)])).rejects.toThrow("failed to get message")
  })

  test("gives room for a hundred transactions of one account that arrive in reverse order", async () => {
    const { rpcUrl, evmChainID, keys } = await devnet.createL1({ name: "busy", vm: "subnet-evm" })
    const signed = Array.from({ length: 100 }, (_, nonce) =>
      signedTransfer({ chainID: evmChainID as bigint, nonce, to, value: 1n, privateKey: keys[0]?.privateKey as string }),
    )
    const hashes: unknown[] = []
    for (const raw of signed.toReversed()) hashes.push(await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
    const receipts = await Promise.all(hashes.map((hash) => receiptOf(rpcUrl, hash)))
    expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => "0x1"))
    expect(await eth(rpcUrl, "eth_getBalance", [to, "latest"])).toBe("0x64")
  })
})
