import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { sha256 } from "../../src/core/crypto/hash.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { toCb58 } from "../../src/core/types/cb58.js"
import { parseID } from "../../src/core/types/id.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { secp256k1 } from "../../src/platform/backends.js"
import { keyOfTest } from "../../src/producer/keys/key.js"
import { eth } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const { secret, address } = keyOfTest(ewoq)
const receiver = Buffer.alloc(20, 7)

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number) => Buffer.from(value.toString(16).padStart(8, "0"), "hex")
const u64 = (value: bigint) => Buffer.from(value.toString(16).padStart(16, "0"), "hex")

/** A genesis of xsvm: its time, and one address with a balance. */
const genesis = Buffer.concat([u16(0), u64(1_607_144_400n), u32(1), hexToBytes(address), u64(1_000_000n)])

/** A signed transfer of the chain's own asset. */
function transfer(chainID: Uint8Array, nonce: bigint, amount: bigint): string {
  const fields = [u32(0), chainID, u64(nonce), u64(1000n), chainID, u64(amount), receiver]
  const unsigned = Buffer.concat([u16(0), ...fields])
  const signature = secp256k1().sign(sha256(unsigned), secret)
  return Buffer.concat([unsigned, signature]).toString("base64")
}

describe("an L1 with xsvm, which knows nothing of the EVM", needsPlugin("xsvm"), () => {
  let devnet: Devnet
  let l1: DevnetL1
  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
    l1 = await devnet.createL1({ name: "xs", vm: "xsvm", genesis: `0x${genesis.toString("hex")}` })
  })
  afterAll(() => devnet?.stop())

  const call = (method: string, params: object) => eth(`${devnet.url}/ext/bc/xs`, method, [params])
  const balance = (of: Uint8Array) => call("xsvm.balance", { address: toCb58(of), assetID: l1.chainID })

  test("serves its API at the path of the chain itself", async () => {
    expect(l1).toMatchObject({ vm: "xsvm", state: "running", paths: ["/ext/bc/xs"], keys: [] })
    expect(l1.evmChainID).toBeUndefined()
    expect(await call("xsvm.network", {})).toEqual({ networkID: 12345, subnetID: l1.subnetID, chainID: l1.chainID })
    expect(await balance(hexToBytes(address))).toEqual({ balance: 1_000_000 })
  })

  test("accepts transfers, and keeps them when its plugin is killed", async () => {
    const chainID = hexToBytes(parseID(l1.chainID))
    await call("xsvm.issueTx", { tx: transfer(chainID, 0n, 5n) })
    await vi.waitFor(async () => expect(await balance(receiver)).toEqual({ balance: 5 }))
    await call("xsvm.issueTx", { tx: transfer(chainID, 1n, 7n) })
    await vi.waitFor(async () => expect(await balance(receiver)).toEqual({ balance: 12 }))
    const [{ pid, height } = { pid: 0, height: 0n }] = (await devnet.dev.listL1s()).l1s
    expect(height).toBe(2n)
    process.kill(pid as number, "SIGKILL")
    await vi.waitFor(
      async () => expect((await devnet.dev.listL1s()).l1s[0]).toMatchObject({ restarts: 1, state: "running", height: 2n }),
      10_000,
    )
    expect(await balance(receiver)).toEqual({ balance: 12 })
  })

  test("has a handler for requests that name the chain in a header", async () => {
    const ping = (route: string) =>
      fetch(`${devnet.url}/xsvm.Ping/Ping`, {
        method: "POST",
        headers: { "content-type": "application/json", "avalanche-api-route": route },
        body: '{"message":"hello"}',
      })
    const answer = await ping(l1.chainID)
    expect([answer.status, await answer.text()]).toEqual([200, '{"message":"hello"}'])
    const unknown = await ping("nothing")
    expect([unknown.status, await unknown.text()]).toEqual([404, ""])
  })

  test("needs a genesis", async () => {
    await expect(devnet.createL1({ vm: "xsvm" })).rejects.toMatchObject({ code: "vm.no_genesis" })
  })
})
