import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { WebSocket } from "ws"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { eth, receiptOf } from "./evm.js"
import { needsClockPlugin, pluginDir } from "./plugins.js"

const DAY = 86_400
const to = "0x00000000000000000000000000000000000000aa"

interface Block {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  readonly transactions: readonly string[]
}

/** Opens a WebSocket of JSON-RPC. */
async function openSocket(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<unknown, (answer: unknown) => void>()
  const opened = { onNotice: (_: { readonly number: string }) => {} }
  socket.on("message", (data) => {
    const answer = JSON.parse(String(data))
    const id = Array.isArray(answer) ? answer[0].id : answer.id
    if (id === undefined) opened.onNotice(answer.params.result)
    else waiting.get(id)?.(answer)
  })
  const closed = once(socket, "close").then(([code]) => code as number)
  await once(socket, "open")
  const send = (call: unknown) => {
    const { id } = (Array.isArray(call) ? call[0] : call) as { id: unknown }
    socket.send(JSON.stringify(call))
    return new Promise<unknown>((resolve) => waiting.set(id, resolve))
  }
  let next = 0
  const ask = async (method: string, ...params: unknown[]) => {
    const { result, error } = (await send({ jsonrpc: "2.0", id: ++next, method, params })) as {
      result: unknown
      error?: { message: string }
    }
    if (error) throw new Error(error.message)
    return result
  }
  return Object.assign(opened, { closed, send, ask })
}

describe("the words of EVM tools", { ...needsClockPlugin("subnet-evm"), timeout: 120_000 }, () => {
  let devnet: Devnet
  let l1: DevnetL1

  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
    l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
  })
  afterAll(() => devnet?.stop())

  const ask = (method: string, ...params: unknown[]) => eth(l1.rpcUrl, method, params)
  const latest = async () => (await ask("eth_getBlockByNumber", "latest", false)) as Block
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(l1.rpcUrl, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
    return { status: answer.status, text: await answer.text() }
  }

  test("accounts send transactions without a key of the client", async () => {
    const accounts = (await ask("eth_accounts")) as string[]
    expect(accounts).toEqual(l1.keys.map(({ address }) => address))
    const [from] = accounts
    const value = "0x7"
    const plain = await receiptOf(l1.rpcUrl, await ask("eth_sendTransaction", { from, to, value }))
    const fees = { maxFeePerGas: "0x12a05f2000", maxPriorityFeePerGas: "0x1" }
    const tipped = await receiptOf(l1.rpcUrl, await ask("eth_sendTransaction", { from, to, value, ...fees, gas: "0x5208" }))
    expect([plain.status, tipped.status, await ask("eth_getBalance", to, "latest")]).toEqual(["0x1", "0x1", "0xe"])
    const types = [plain, tipped].map(({ transactionHash }) => ask("eth_getTransactionByHash", transactionHash))
    expect(await Promise.all(types)).toMatchObject([{ type: "0x1" }, { type: "0x2", ...fees }])
    // Many at once get a nonce each.
    const hashes = await Promise.all(Array.from({ length: 20 }, () => ask("eth_sendTransaction", { from, to, value: "0x1" })))
    const receipts = await Promise.all(hashes.map((hash) => receiptOf(l1.rpcUrl, hash)))
    expect(receipts.every(({ status }) => status === "0x1")).toBe(true)
    // A contract whose code is one byte: STOP.
    const created = await receiptOf(l1.rpcUrl, await ask("eth_sendTransaction", { from, input: "0x6001600081538060015ff3" }))
    expect(created.contractAddress).toMatch(/^0x/)
    await expect(ask("eth_sendTransaction", { from: to, to })).rejects.toThrow("the node has no key of 0x0")
    await expect(ask("eth_sendTransaction", { from, to, value: "seven" })).rejects.toThrow("a number that is not negative")
  })

  test("a snapshot takes all chains back, and an unknown one is false", async () => {
    const id = await ask("evm_snapshot")
    const before = { block: await latest(), height: (await devnet.dev.status()).height }
    await ask("evm_mine")
    await devnet.dev.mine({ blocks: 1, filler: true })
    expect(await ask("evm_revert", id)).toBe(true)
    expect({ block: await latest(), height: (await devnet.dev.status()).height }).toEqual(before)
    expect(await ask("evm_revert", "0xffff")).toBe(false)
    await expect(ask("evm_revert", "first")).rejects.toThrow("the number of a snapshot was expected")
  })

  test("time is increased for all chains, and the next block shows it", async () => {
    const id = await ask("evm_snapshot")
    const { timestamp, number } = await latest()
    const before = devnet.now()
    await ask("evm_increaseTime", DAY)
    expect((await latest()).number).toBe(number)
    expect(await ask("evm_mine")).toBe("0x0")
    const next = await latest()
    expect(Number(next.number)).toBe(Number(number) + 1)
    expect(Number(next.timestamp)).toBeGreaterThanOrEqual(Number(timestamp) + DAY)
    expect(Number(devnet.now() - before)).toBeGreaterThanOrEqual(DAY)
    expect(await ask("evm_revert", id)).toBe(true)
  })

  test("the next block has the time that was set, and time goes on after it", async () => {
    const id = await ask("evm_snapshot")
    const at = Number(devnet.now()) + 10 * DAY
    await ask("evm_setNextBlockTimestamp", at)
    await ask("evm_mine")
    expect(Number((await latest()).timestamp)).toBe(at)
    await ask("evm_mine", `0x${(at + DAY).toString(16)}`)
    expect(Number((await latest()).timestamp)).toBe(at + DAY)
    const status = async () => (await devnet.dev.status()).frozen
    await expect.poll(status, { timeout: 10_000 }).toBe(false)
    await expect(ask("evm_setNextBlockTimestamp", at)).rejects.toThrow("the time is in the past")
    expect(await ask("evm_revert", id)).toBe(true)
  })

  test.each(["hardhat_mine", "anvil_mine"])("%s makes a block for each payment, at an interval", async (word) => {
    const first = await latest()
    await ask(word, "0x5", 60)
    const last = await latest()
    expect(Number(last.number)).toBe(Number(first.number) + 5)
    expect(Number(last.timestamp) - Number(first.timestamp)).toBeGreaterThanOrEqual(240)
    expect(last.transactions.length).toBe(1)
    await expect(ask(word, 1001)).rejects.toThrow("at most 1000 blocks")
  })

  test("blocks are made at once, at an interval, or on request", async () => {
    const [from] = (await ask("eth_accounts")) as string[]
    const mode = async () => (await devnet.dev.status()).blockMode
    expect(await ask("evm_setAutomine", false)).toBe(true)
    expect([await mode(), await ask("hardhat_getAutomine")]).toEqual([{ mode: "manual" }, false])
    const hash = await ask("eth_sendTransaction", { from, to, value: "0x1" })
    expect(await ask("eth_getTransactionReceipt", hash)).toBe(null)
    await ask("evm_mine")
    expect((await receiptOf(l1.rpcUrl, hash)).status).toBe("0x1")
    // Anvil's intervals are in seconds, and Hardhat's in milliseconds.
    const modes = []
    for (const interval of [5, 5000, 0]) {
      await ask("evm_setIntervalMining", interval)
      modes.push(await mode())
    }
    expect(modes).toEqual([{ mode: "interval", seconds: 5 }, { mode: "interval", seconds: 5 }, { mode: "manual" }])
    await ask("evm_setAutomine", true)
    expect(await mode()).toEqual({ mode: "auto" })
  })

  test("a balance is raised, and not lowered", async () => {
    const poor = "0x00000000000000000000000000000000000000bb"
    await ask("anvil_setBalance", poor, "0xde0b6b3a7640000")
    expect(await ask("eth_getBalance", poor, "latest")).toBe("0xde0b6b3a7640000")
    await ask("hardhat_setBalance", poor, "0xde0b6b3a7640000")
    await expect(ask("hardhat_setBalance", poor, "0x1")).rejects.toThrow("a balance can only be raised")
    expect(await ask("eth_getBalance", poor, "latest")).toBe("0xde0b6b3a7640000")
  })

  test("the node tells what it is", async () => {
    const { number, hash, timestamp } = await latest()
    expect(await ask("anvil_nodeInfo")).toMatchObject({
      ...{ currentBlockNumber: number, currentBlockHash: hash, currentBlockTimestamp: Number(timestamp) },
      environment: { chainId: 99_001 },
    })
    expect(await ask("hardhat_metadata")).toMatchObject({
      ...{ chainId: 99_001, latestBlockNumber: Number(number), latestBlockHash: hash },
      clientVersion: expect.stringMatching(/^Serac\//),
    })
  })

  test.each([
    ["hardhat_setCode", "deploy the contract"],
    ["anvil_setStorageAt", "in the genesis of an L1"],
    ["hardhat_impersonateAccount", "eth_accounts names the keys"],
    ["anvil_reset", "has no fork of another chain"],
    ["hardhat_setNextBlockBaseFeePerGas", "feeConfig"],
    ["evm_addAccount", "docs/evm.md"],
  ])("%s is refused with what there is instead", async (word, sentence) => {
    const { text } = await post(JSON.stringify({ jsonrpc: "2.0", id: "a", method: word, params: [] }))
    const answer = JSON.parse(text) as { id: string; error: { code: number; message: string } }
    expect(answer).toMatchObject({ id: "a", error: { code: -32_601, message: expect.stringContaining(sentence) } })
  })

  test("a batch is answered in order, with what the VM answers between words", async () => {
    const methods = ["eth_chainId", "evm_snapshot", "eth_accounts", "evm_none", "eth_blockNumber"]
    const { text } = await post(JSON.stringify(methods.map((method, id) => ({ jsonrpc: "2.0", id, method, params: [] }))))
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: "2.0", id: 0, result: "0x182b9" },
      { jsonrpc: "2.0", id: 1, result: expect.stringMatching(/^0x/) },
      { jsonrpc: "2.0", id: 2, result: expect.any(Array) },
      { jsonrpc: "2.0", id: 3, error: expect.objectContaining({ code: -32_601 }) },
      { jsonrpc: "2.0", id: 4, result: expect.any(String) },
    ])
  })

  test("words are answered over WebSockets, beside subscriptions and batches, and a revert ends the connection after its answer", async () => {
    const socket = await openSocket(l1.wsUrl)
    const heads: string[] = []
    socket.onNotice = ({ number }) => heads.push(number)
    await socket.ask("eth_subscribe", "newHeads")
    expect(await socket.ask("eth_accounts")).toEqual(l1.keys.map(({ address }) => address))
    const id = await socket.ask("evm_snapshot")
    const before = await latest()
    // The calls are answered in their order, although the words take longer.
    const many = await Promise.all([socket.ask("evm_mine"), socket.ask("eth_blockNumber"), socket.ask("evm_increaseTime", DAY)])
    expect(many).toEqual(["0x0", `0x${(Number(before.number) + 1).toString(16)}`, expect.any(Number)])
    await expect.poll(() => heads).toEqual([`0x${(Number(before.number) + 1).toString(16)}`])
    const batch = ["eth_chainId", "evm_mine", "eth_blockNumber"].map((method, i) => ({ jsonrpc: "2.0", id: `b${i}`, method }))
    expect(await socket.send(batch)).toMatchObject([{ result: "0x182b9" }, { result: "0x0" }, { result: expect.any(String) }])
    await expect(socket.ask("evm_addAccount")).rejects.toThrow("docs/evm.md")
    await expect(socket.ask("eth_nothing")).rejects.toThrow("does not exist")
    expect(await socket.ask("evm_revert", id)).toBe(true)
    expect(await socket.closed).toBe(1012)
    expect(await latest()).toEqual(before)
  })

  test("what has no word is answered by the VM alone, also where a word is a text in it", async () => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "web3_sha3", params: ["0x00"], note: "evm_mine" })
    expect(JSON.parse((await post(text)).text)).toMatchObject({ id: 1, result: expect.stringMatching(/^0x/) })
    expect((await post('{"method":"evm_mine"')).text).toContain("-32700")
    expect((await post("[]")).text).toContain("-32600")
  })

  test("at the address of a tool the chain says that it is one for tests, and elsewhere the VM says what it is", async () => {
    const version = async (query: string) => eth(`${l1.rpcUrl}${query}`, "web3_clientVersion")
    const own = await version("")
    expect([await version("?as=hardhat"), await version("?as=anvil")]).toEqual([`hardhat/serac/${own}`, `anvil/serac/${own}`])
    expect([own, await version("?as=other")]).toEqual([l1.version, own])
  })

  test("in AvalancheGo's dialect the VM alone answers, over HTTP and WebSockets", async () => {
    await using other = await startDevnet({ pluginDir, dialect: "avalanchego" })
    const { rpcUrl, wsUrl } = await other.createL1({ name: "mine", vm: "subnet-evm" })
    const socket = await openSocket(wsUrl)
    for (const method of ["eth_accounts", "evm_snapshot"]) {
      await expect(eth(rpcUrl, method)).rejects.toThrow(`the method ${method} does not exist`)
      await expect(socket.ask(method)).rejects.toThrow(`the method ${method} does not exist`)
    }
  })

  test("a browser extension has the words of the VM only", async () => {
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_snapshot", params: [] })
    const { text } = await post(call, { origin: "chrome-extension://abcdefghijklmnop" })
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining("does not exist") } })
  })
})
