import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { WebSocket } from "ws"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { toCb58 } from "../../src/core/types/cb58.js"
import { decodeSignedMessage, unsignedMessageBytes } from "../../src/core/types/warp/message.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { createLog } from "../../src/node/log.js"
import { bls } from "../../src/platform/backends.js"
import { backupChain } from "../../src/tools/backup.js"
import { startCopy } from "../sync/followNodes.js"
import { run } from "../terminal.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-l1-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const to = "0x00000000000000000000000000000000000000aa"

/** Pays from the first funded key, and returns the receipt. */
async function pay({ rpcUrl, evmChainID, keys }: DevnetL1, nonce: number) {
  const privateKey = keys[0]?.privateKey as string
  const raw = signedTransfer({ chainID: evmChainID as bigint, nonce, to, value: 1n, privateKey })
  return receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
}

describe("an L1 with subnet-evm", needsPlugin("subnet-evm"), () => {
  let devnet: Devnet
  let l1: DevnetL1

  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
    l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
  })
  afterAll(() => devnet?.stop())

  test("is reached by its name and its ID, and has funded keys", async () => {
    expect(l1).toMatchObject({ name: "mine", vm: "subnet-evm", state: "running", height: 0n, evmChainID: 99_001n })
    expect(await eth(l1.rpcUrl, "eth_chainId")).toBe("0x182b9")
    expect(await eth(`${devnet.url}/ext/bc/${l1.chainID}/rpc`, "eth_chainId")).toBe("0x182b9")
    expect(await eth(l1.rpcUrl, "eth_getBalance", [l1.keys[0]?.address, "latest"])).toBe("0x84595161401484a000000")
    expect(l1.keys.length).toBe(12)
  })

  test("makes blocks as fast as transactions come", async () => {
    const before = Number(await eth(l1.rpcUrl, "eth_blockNumber"))
    const receipts = []
    for (let nonce = before; nonce < before + 5; nonce++) receipts.push(await pay(l1, nonce))
    expect(receipts.map(({ status }) => status)).toEqual(["0x1", "0x1", "0x1", "0x1", "0x1"])
    expect(Number(await eth(l1.rpcUrl, "eth_blockNumber"))).toBe(before + 5)
    const [listed] = (await devnet.dev.listL1s()).l1s
    expect(listed).toMatchObject({ name: "mine", height: BigInt(before + 5), restarts: 0 })
  })

  test("is validated by the node itself, and the node says so", async () => {
    expect(await devnet.rpc("platform.getBlockchainStatus", { blockchainID: l1.chainID })).toEqual({ status: "Validating" })
    expect(await devnet.rpc("info.isBootstrapped", { chain: "mine" })).toEqual({ isBootstrapped: true })
    const { validators } = await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })
    const { nodeID } = await devnet.rpc("info.getNodeID")
    expect(validators.map((each) => each.nodeID)).toEqual([nodeID])
    const { vms } = await devnet.rpc("info.getVMs")
    expect(vms).toMatchObject({ [l1.vmID]: [] })
    expect(await devnet.rpc("platform.validates", { subnetID: l1.subnetID })).toEqual({ blockchainIDs: [l1.chainID] })
    const { vmVersions } = await devnet.rpc("info.getNodeVersion")
    expect(vmVersions[l1.vmID]).toBe(l1.version)
  })

  test("says who may propose its next block, and a validator that joins after the last block is not among them", async () => {
    const { nodeID } = await devnet.rpc("info.getNodeID")
    await devnet.dev.mine({ blocks: 2, filler: true })
    await pay(l1, Number(await eth(l1.rpcUrl, "eth_blockNumber")))
    const { height } = await devnet.rpc("platform.getHeight")
    const { subnetID } = l1
    await devnet.dev.registerL1Validator({ subnetID, weight: 1 })
    const { proposers, validators } = await devnet.rpc("platform.getL1Health", { subnetID })
    expect(proposers).toMatchObject({ isKnown: true, isAnyone: false, nodeIDs: [nodeID], uncertain: [] })
    expect([proposers.toHeight! <= height, validators.length]).toEqual([true, 2])
    const shown = await run(["l1", "health", "mine", "--url", devnet.url, "--l1-rpc", l1.rpcUrl])
    expect(shown.stdout).toMatch(/Next proposer +the validators that were active at (the )?P-Chain height/)
    const past = await devnet.rpc("platform.getL1Health", { subnetID, height })
    expect(past.proposers).toMatchObject({ isKnown: false, nodeIDs: [] })
  })

  test("is not part of a copy of the chain, and the copy says so", async () => {
    const lines: string[] = []
    const log = createLog({ level: "info", form: "machines", now: Date.now, write: (text) => lines.push(text) })
    const copied = mkdtempSync(join(dir, "copy-"))
    await using copy = await startCopy([devnet.url], copied, { log })
    await copy.reaches((await devnet.rpc("platform.getHeight")).height)
    const line = lines.find((each) => each.includes("only the P-Chain is copied, without the L1s of the node"))
    expect(JSON.parse(line ?? "{}")).toMatchObject({ url: devnet.url, l1s: 1 })
  })

  test("has a WebSocket, which hears of new blocks", async () => {
    const socket = new WebSocket(l1.wsUrl)
    const messages: { id?: number; result?: unknown; params?: { result: { number: string } } }[] = []
    socket.on("message", (text) => messages.push(JSON.parse(String(text))))
    await new Promise((resolve) => socket.once("open", resolve))
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }))
    await vi.waitFor(() => expect(messages.length).toBe(1))
    const height = Number(await eth(l1.rpcUrl, "eth_blockNumber"))
    await pay(l1, height)
    await vi.waitFor(() => expect(messages[1]?.params?.result.number).toBe(`0x${(height + 1).toString(16)}`))
    socket.close()
    await new Promise((resolve) => socket.once("close", resolve))
  })

  test("says which P-Chain height its next block uses", async () => {
    const url = `${devnet.url}/ext/bc/mine/proposervm`
    const { height } = await devnet.rpc("platform.getHeight")
    expect(await eth(url, "proposervm.getProposedHeight")).toEqual({ height: String(height) })
    expect(await eth(url, "proposervm.getCurrentEpoch")).toMatchObject({ pChainHeight: String(height) })
  })

  test("reports its health and the metrics of its VM", async () => {
    const health = await (await fetch(`${devnet.url}/ext/health`)).json()
    expect(health).toMatchObject({ healthy: true, checks: { l1s: { message: [{ name: "mine", state: "running" }] } } })
    const metrics = await (await fetch(`${devnet.url}/ext/metrics`)).text()
    expect(metrics).toMatch(/^avalanche_subnetevm_\w+\{.*chain="mine".*\} \d/m)
    expect(metrics).toContain('serac_l1_running{chain="mine"} 1')
  })

  test("in block mode manual makes no block, and continues in auto", async () => {
    await devnet.dev.setBlockMode({ mode: "manual" })
    const height = Number(await eth(l1.rpcUrl, "eth_blockNumber"))
    const paid = pay(l1, height)
    await vi.waitFor(async () => expect(await eth(l1.rpcUrl, "txpool_status")).toEqual({ pending: "0x1", queued: "0x0" }))
    expect(Number(await eth(l1.rpcUrl, "eth_blockNumber"))).toBe(height)
    const reason = expect.stringContaining("empty block")
    expect(await devnet.dev.mine({ blocks: 3, l1: "mine" })).toEqual({ height: BigInt(height + 1), blocks: 1, reason })
    expect((await paid).status).toBe("0x1")
    const next = pay(l1, height + 1)
    await devnet.dev.setBlockMode({ mode: "auto" })
    expect((await next).status).toBe("0x1")
  })

  test("answers 503 with the reason while it is stopped, and continues at its block", async () => {
    const height = await eth(l1.rpcUrl, "eth_blockNumber")
    expect(await devnet.dev.stopL1({ name: "mine" })).toMatchObject({ state: "stopped", reason: "a call of dev.stopL1 ended it" })
    await expect(eth(l1.rpcUrl, "eth_blockNumber")).rejects.toThrow(
      /^503 the chain does not answer: .*a call of dev\.stopL1 ended it/,
    )
    expect(await devnet.rpc("info.isBootstrapped", { chain: "mine" })).toEqual({ isBootstrapped: false })
    expect(await devnet.dev.startL1({ name: "mine" })).toMatchObject({ state: "running" })
    expect(await eth(l1.rpcUrl, "eth_blockNumber")).toBe(height)
  })

  test("is started again when its plugin is killed, and has lost no block", async () => {
    const height = Number(await eth(l1.rpcUrl, "eth_blockNumber"))
    await pay(l1, height)
    const pid = (await devnet.dev.listL1s()).l1s[0]?.pid as number
    process.kill(pid, "SIGKILL")
    await vi.waitFor(
      async () => expect((await devnet.dev.listL1s()).l1s[0]).toMatchObject({ restarts: 1, state: "running" }),
      10_000,
    )
    expect(Number(await eth(l1.rpcUrl, "eth_blockNumber"))).toBe(height + 1)
    expect((await pay(l1, height + 1)).status).toBe("0x1")
  })

  test("pages of this machine and wallets may use its RPC, but no other pages and no other hosts", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    const call = (headers: Record<string, string>) =>
      new Promise<{ readonly status: number | undefined; readonly origin: unknown }>((resolve, reject) => {
        const request = httpRequest(
          l1.rpcUrl,
          { method: "POST", headers: { "content-type": "application/json", ...headers } },
          (answer) => {
            answer.resume()
            resolve({ status: answer.statusCode, origin: answer.headers["access-control-allow-origin"] })
          },
        )
        request.on("error", reject).end(body)
      })
    for (const origin of ["http://localhost:5173", "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn"]) {
      expect(await call({ origin })).toEqual({ status: 200, origin: "*" })
    }
    expect(await call({ origin: "https://evil.example" })).toEqual({ status: 403, origin: "*" })
    expect(await call({ host: "evil.example" })).toMatchObject({ status: 403 })
  })

  test("refuses names that are taken or verbs, VMs that are not there, and files without a VM", async () => {
    const refused = (params: object) =>
      devnet.rpc("dev.createL1", params as never).then(
        () => "",
        (error) => error.code,
      )
    expect(await refused({ vm: "subnet-evm", name: "mine" })).toBe("vm.name_taken")
    expect(await refused({ vm: "subnet-evm", name: "P" })).toBe("vm.name_taken")
    expect(await refused({ vm: "subnet-evm", name: "a-b" })).toBe("vm.bad_name")
    expect(await refused({ vm: "nothing" })).toBe("vm.unknown_vm")
    expect(await refused({ name: "other" })).toBe("dev.no_vm")
    expect(await refused({ vm: "subnet-evm", vmID: l1.vmID })).toBe("dev.vm_or_genesis_data")
  })

  test("of two that are created at once with one name, one is refused", async () => {
    const before = (await devnet.dev.listL1s()).l1s.length
    const both = await Promise.allSettled([1, 2].map(() => devnet.createL1({ name: "twin", vm: "subnet-evm" })))
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    expect((await devnet.dev.listL1s()).l1s.length).toBe(before + 1)
    await devnet.dev.removeL1({ name: "twin" })
  })

  test("an L1 without a VM is created as before", async () => {
    const created = await devnet.rpc("dev.createL1", { chainName: "bare" })
    expect(created.l1).toBeUndefined()
    expect((await devnet.dev.listL1s()).l1s.length).toBe(1)
  })

  test("after a revert a chain that did not exist is gone, and the others run", async () => {
    const { id } = await devnet.dev.snapshot()
    const second = await devnet.createL1({ vm: "subnet-evm" })
    expect([second.name, second.evmChainID]).toEqual(["chain1", 99_002n])
    expect(await eth(second.rpcUrl, "eth_chainId")).toBe("0x182ba")
    await devnet.dev.revert({ id })
    const { l1s } = await devnet.dev.listL1s()
    expect(l1s.map(({ name, state }) => [name, state])).toEqual([["mine", "running"]])
    await expect(devnet.dev.dumpState()).rejects.toMatchObject({ code: "dev.hosts_l1s", data: { l1s: ["mine"] } })
    await expect(eth(second.rpcUrl, "eth_chainId")).rejects.toThrow(/^404/)
  })

  test("leaves no process when it is removed", async () => {
    const pid = (await devnet.dev.listL1s()).l1s[0]?.pid as number
    expect(await devnet.dev.removeL1({ name: "mine" })).toMatchObject({ state: "stopped", reason: "it was removed" })
    expect(() => process.kill(pid, 0)).toThrow()
    expect(await devnet.dev.listL1s()).toEqual({ l1s: [] })
    await expect(eth(l1.rpcUrl, "eth_chainId")).rejects.toThrow(/^404/)
  })
})

test(
  "an L1 on the disk continues after a restart and from a backup, and a stopped one stays stopped",
  needsPlugin("subnet-evm"),
  async () => {
    const options = { pluginDir, dataDir: join(dir, "kept") }
    const first = await startDevnet(options)
    const l1 = await first.createL1({ name: "mine", vm: "subnet-evm" })
    await first.createL1({ name: "idle", vm: "subnet-evm" })
    await pay(l1, 0)
    await first.dev.stopL1({ name: "idle" })
    const copy = join(dir, "copy")
    const { l1s: copied } = await backupChain({
      dataDir: options.dataDir,
      target: copy,
      verifies: false,
      begin: () => () => {},
    })
    expect([...copied].sort()).toEqual(["idle", "mine"])
    await pay(l1, 1)
    await first.stop()
    const restored = await startDevnet({ pluginDir, dataDir: copy })
    expect(Number(await eth(`${restored.url}/ext/bc/mine/rpc`, "eth_blockNumber"))).toBe(1)
    await restored.stop()
    const second = await startDevnet(options)
    try {
      const { l1s } = await second.dev.listL1s()
      expect(l1s.map(({ name, state, height }) => [name, state, height]).sort()).toEqual([
        ["idle", "stopped", undefined],
        ["mine", "running", 2n],
      ])
      const again = { ...l1, rpcUrl: `${second.url}/ext/bc/mine/rpc` }
      expect((await pay(again, 2)).blockNumber).toBe("0x3")
    } finally {
      await second.stop()
    }
  },
)

test(
  "a Warp message is signed by all validators of an L1, and one that was not sent by none",
  needsPlugin("subnet-evm"),
  async () => {
    const devnet = await startDevnet({ pluginDir })
    try {
      const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 3 })
      const { rpcUrl, evmChainID, keys } = l1
      // sendWarpMessage("hi") of the precompile.
      const data = `0xee5b48eb${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6869".padEnd(64, "0")}`
      const warp = "0x0200000000000000000000000000000000000005"
      const raw = signedTransfer({
        chainID: evmChainID as bigint,
        nonce: 0,
        to: warp,
        value: 0n,
        privateKey: keys[0]?.privateKey as string,
        data,
      })
      const { logs } = (await receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))) as never as {
        logs: { topics: string[] }[]
      }
      const messageID = toCb58(hexToBytes(logs[0]?.topics[2]?.slice(2) as string))
      const signed = (await eth(rpcUrl, "warp_getMessageAggregateSignature", [messageID, 100, ""])) as string
      const message = decodeSignedMessage(hexToBytes(signed.slice(2)))
      expect([...message.signature.signers]).toEqual([0b111])
      const publicKeys = l1.validators.map(({ publicKey }) => bls().decompressKey(hexToBytes(publicKey.slice(2))))
      expect(bls().verifyAggregate(publicKeys, unsignedMessageBytes(message), message.signature.signature)).toBe(true)
      await expect(eth(rpcUrl, "warp_getMessageAggregateSignature", [toCb58(new Uint8Array(32)), 67, ""])).rejects.toThrow()
      // The three ways give the same bytes, and each refuses a message that the chain did not send.
      const unsigned = unsignedMessageBytes(message)
      const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`
      const aggregate = (bytes: Uint8Array) =>
        fetch(`${devnet.url}/aggregate-signatures`, { method: "POST", body: JSON.stringify({ message: hex(bytes) }) })
      expect(await devnet.dev.signWarpMessage({ unsignedMessage: hex(unsigned) })).toEqual({ signedMessage: signed })
      expect(await (await aggregate(unsigned)).json()).toEqual({ "signed-message": signed.slice(2) })
      const forged = Uint8Array.from(unsigned)
      forged[forged.length - 1] = 0
      await expect(devnet.dev.signWarpMessage({ unsignedMessage: hex(forged) })).rejects.toMatchObject({
        code: "vm.will_not_sign",
      })
      const refusal = await aggregate(forged)
      expect([refusal.status, await refusal.text()]).toEqual([500, expect.stringContaining("does not sign this message")])
      await devnet.dev.stopL1({ name: "mine" })
      await expect(devnet.dev.signWarpMessage({ unsignedMessage: hex(unsigned) })).rejects.toMatchObject({ code: "vm.stopped" })
    } finally {
      await devnet.stop()
    }
  },
)

test("with a lag the heights of blocks follow epochs, also after a restart", needsPlugin("subnet-evm"), async () => {
  const options = { pluginDir, dataDir: join(dir, "lagging"), warpLag: true }
  const first = await startDevnet(options)
  const l1 = await first.createL1({ name: "mine", vm: "subnet-evm" })
  const epochAt = (url: string) => eth(`${url}/ext/bc/mine/proposervm`, "proposervm.getCurrentEpoch")
  expect(await epochAt(first.url)).toEqual({ number: "0", startTime: "0", pChainHeight: "0" })
  await pay(l1, 0)
  // The first block names a height before the blocks of the last 30 seconds, and its child starts the first epoch with it.
  const epoch = await epochAt(first.url)
  expect(epoch).toMatchObject({ number: "1", pChainHeight: "0" })
  await pay(l1, 1)
  await first.stop()
  const second = await startDevnet(options)
  expect(await epochAt(second.url)).toEqual(epoch)
  expect((await pay({ ...l1, rpcUrl: `${second.url}/ext/bc/mine/rpc` }, 2)).status).toBe("0x1")
  await second.stop()
})

/** Connects to the host, and writes what is not HTTP/2. */
const NONSENSE = `
trap '' PIPE
address=$AVALANCHE_VM_RUNTIME_ENGINE_ADDR
while :; do
  exec 3<>"/dev/tcp/\${address%:*}/\${address#*:}"
  for i in 1 2 3 4 5 6 7 8 9; do printf 'nonsense%.0s' {1..1000} >&3; done
done 2>/dev/null
`

test.each([
  ["ends at once", "#!/bin/sh\nprintf 'fd limit too low'; exit 1\n", 0o755, "vm.exited", "fd limit too low"],
  ["is no program", "text", 0o644, "vm.not_executable", "chmod +x"],
  ["prints without end", "#!/bin/sh\nwhile :; do echo flood; done\n", 0o755, "vm.silent", "flood"],
  ["sends nonsense without end", `#!/bin/bash\n${NONSENSE}`, 0o755, "vm.silent", "within the time limit"],
])("a plugin that %s is refused before anything is written, and the node goes on", async (_name, text, mode, code, hint) => {
  const folder = mkdtempSync(join(dir, "plugins-"))
  writeFileSync(join(folder, "subnet-evm"), text, { mode })
  const devnet = await startDevnet({ pluginDir: folder })
  try {
    const before = await devnet.rpc("platform.getHeight")
    const refusal = await devnet.createL1({ vm: "subnet-evm" }).catch((error) => error)
    expect(refusal).toMatchObject({ code })
    expect(refusal.message).toContain(hint)
    await expect(devnet.createL1({ vm: "xsvm" })).rejects.toMatchObject({ code: "vm.unknown_vm" })
    expect(await devnet.rpc("platform.getHeight")).toEqual(before)
    expect(await devnet.dev.listL1s()).toEqual({ l1s: [] })
  } finally {
    await devnet.stop()
  }
})

test("a node without plugins hosts no L1", async () => {
  const devnet = await startDevnet()
  try {
    expect(await devnet.dev.listL1s()).toEqual({ l1s: [] })
    await expect(devnet.createL1({ vm: "subnet-evm" })).rejects.toMatchObject({ code: "dev.no_vms" })
    await expect(startDevnet({ pluginDir: join(dir, "missing") })).rejects.toMatchObject({ code: "vm.bad_plugin_dir" })
  } finally {
    await devnet.stop()
  }
})
