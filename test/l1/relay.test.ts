import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test, vi } from "vitest"
import { httpClient } from "../../src/client/client.js"
import { idOf, idText } from "../../src/core/types/id.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { sentMessages } from "../../src/evm/warpLogs.js"
import { seracOfFile } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { receiptOf } from "./evm.js"
import { deployMessenger, messenger, receivedBy, sendMessage, sentBy, upTo, waitForMessages } from "./exchange.js"
import { refusingBytecode } from "./messenger.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const built = seracOfFile("l1-relay")
const dir = mkdtempSync(join(tmpdir(), "serac-l1-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe("the relay between two L1s", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  let devnet: Devnet
  afterEach(() => devnet?.stop())

  /** Starts a node with two L1s, of which the second one has no contract yet if `isLater`. */
  async function start(options: { readonly autoRelay?: boolean; readonly dataDir?: string } = {}, isLater = false) {
    devnet = await startDevnet({ pluginDir, autoRelay: true, ...options })
    const first = await devnet.createL1({ name: "first", vm: "subnet-evm", validators: 2 })
    const second = await devnet.createL1({ name: "second", vm: "subnet-evm" })
    await deployMessenger(first)
    if (!isLater) await deployMessenger(second)
    return [first, second] as [DevnetL1, DevnetL1]
  }
  const states = async () => (await devnet.dev.listMessages()).messages.map(({ nonce, state }) => `${nonce} ${state}`)

  test("100 messages arrive in order, each once, and each is an event and a message of the list", async () => {
    const [first, second] = await start()
    const stream = await fetch(`${devnet.url}/ext/dev/events?from=1`)
    const send = async (from: DevnetL1, to: DevnetL1) => {
      for (const nonce of upTo(50)) await sendMessage(from, to, nonce)
    }
    await Promise.all([send(first, second), send(second, first)])
    await Promise.all([waitForMessages(first, upTo(50)), waitForMessages(second, upTo(50))])
    await vi.waitFor(async () => expect((await states()).every((each) => each.endsWith("delivered"))).toBe(true), 30_000)
    const { messages } = await devnet.dev.listMessages()
    expect(messages.length).toBe(100)
    const { nodeID } = await devnet.rpc("info.getNodeID")
    const sent = messages.find(({ sourceChainID }) => sourceChainID === first.chainID)
    expect(sent).toMatchObject({ contract: messenger.toLowerCase(), nonce: 1n, state: "delivered", totalWeight: 200n })
    expect(sent?.signers?.map((each) => each.weight)).toEqual([100n, 100n])
    expect(sent?.signers?.map((each) => each.nodeID)).toContain(nodeID)
    let text = ""
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes("id: 100\n")) break
    }
    expect(text.match(/^event: relay$/gm)?.length).toBe(100)
  })

  test("without --auto-relay devnet.relay() delivers", async () => {
    const [first, second] = await start({ autoRelay: false })
    const { logs } = await sendMessage(first, second, 1)
    await sendMessage(first, second, 2)
    expect(await states()).toEqual([])
    const [message] = await devnet.relay()
    const [unsigned = ""] = sentMessages(logs)
    expect(message).toMatchObject({ messageID: idText(idOf(Buffer.from(unsigned.slice(2), "hex"))), state: "delivered" })
    expect(await receivedBy(second)).toEqual([1, 2])
    expect((await devnet.relay()).length).toBe(2)
    expect(await receivedBy(second)).toEqual([1, 2])
  })

  test("a delivery that fails is shown with its reason, does not hold up others, and can be tried again", async () => {
    const [first, second] = await start({}, true)
    await sendMessage(first, second, 1)
    await vi.waitFor(async () => expect(await states()).toEqual(["1 failed"]))
    const [failed] = (await devnet.dev.listMessages()).messages
    expect(failed?.reason).toBe(`no contract is at ${messenger.toLowerCase()} on the destination`)
    await deployMessenger(second)
    await sendMessage(first, second, 2, ["0x00000000000000000000000000000000000000aa"])
    await sendMessage(first, second, 3)
    await vi.waitFor(async () => expect(await states()).toEqual(["1 failed", "2 failed", "3 delivered"]))
    const messages = await devnet.relay()
    expect(messages.map(({ state }) => state)).toEqual(["delivered", "failed", "delivered"])
    expect(messages[1]?.reason).toMatch(/^the message allows other relayers only/)
    expect(await receivedBy(second)).toEqual([3, 1])
  })

  test("a message that is sent twice is not delivered again", async () => {
    const [first, second] = await start({ autoRelay: false })
    await sendMessage(first, second, 1)
    await sendMessage(first, second, 1)
    await sendMessage(first, second, 0)
    await devnet.relay()
    expect(await receivedBy(second)).toEqual([1, 0])
    // Another message with the nonce of one that was received is taken for the same one.
    await sendMessage(first, second, 1, ["0xf252b81d50c962aed92b5112717e5f6d2e22358b"])
    const last = (await devnet.relay()).at(-1)
    expect(last).toMatchObject({ nonce: 1n, state: "delivered" })
    expect(last?.deliveryTx).toBeUndefined()
    expect(await receivedBy(second)).toEqual([1, 0])
  })

  test("a contract that refuses a message is shown, with the transaction", async () => {
    const [first, second] = await start({}, true)
    await deployMessenger(second, refusingBytecode)
    await sendMessage(first, second, 1)
    await vi.waitFor(async () => expect(await states()).toEqual(["1 failed"]))
    const [{ reason, deliveryTx } = {}] = (await devnet.dev.listMessages()).messages
    expect(reason).toBe("the transaction was reverted: execution reverted")
    expect((await receiptOf(second.rpcUrl, deliveryTx)).status).toBe("0x0")
  })

  test("messages wait for an L1 that is stopped, and for a block that is made by hand", async () => {
    const [first, second] = await start()
    await devnet.dev.stopL1({ name: "second" })
    await sendMessage(first, second, 1)
    await vi.waitFor(async () => expect(await states()).toEqual(["1 waiting"]))
    await devnet.dev.startL1({ name: "second" })
    await waitForMessages(second, [1])
    await sendMessage(first, second, 2)
    await waitForMessages(second, [1, 2])
    await devnet.dev.setBlockMode({ mode: "manual" })
    const sent = sendMessage(first, second, 3)
    await vi.waitFor(async () => expect((await devnet.dev.mine({ l1: "first", blocks: 1 })).blocks).toBe(1))
    await sent
    await vi.waitFor(async () => expect((await devnet.dev.mine({ l1: "second", blocks: 1 })).blocks).toBe(1), 5000)
    await waitForMessages(second, [1, 2, 3])
  })

  test.each([
    ["in memory", undefined],
    ["on the disk", "reverted"],
  ])("after a revert messages of before arrive, once, and messages of later are forgotten, %s", async (_where, name) => {
    const [first, second] = await start(name === undefined ? {} : { dataDir: join(dir, name) })
    for (const nonce of upTo(5)) await sendMessage(first, second, nonce)
    await waitForMessages(second, upTo(5))
    await devnet.dev.stopL1({ name: "second" })
    await sendMessage(first, second, 6)
    const { id } = await devnet.dev.snapshot()
    await devnet.dev.startL1({ name: "second" })
    for (const nonce of [7, 8]) await sendMessage(first, second, nonce)
    await waitForMessages(second, upTo(8))
    for (let round = 0; round < 3; round++) {
      await devnet.dev.revert({ id })
      await sendMessage(first, second, 7)
      await devnet.dev.startL1({ name: "second" })
      await waitForMessages(second, upTo(7))
    }
  })

  const reverts = attempts(50)
  test(`${reverts} reverts under a stream of messages leave the messages that the chains have, each once`, {
    timeout: 60_000 + reverts * 5000,
  }, async () => {
    const [first, second] = await start({ dataDir: join(dir, "stream") })
    const random = new Random(seed("reverts of a relay"))
    const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
    /** Sends messages both ways until a task ends. Those that a revert meets fail, or are lost. */
    async function streaming(task: () => Promise<unknown>) {
      let isOver = false
      const stream = async (from: DevnetL1, to: DevnetL1) => {
        for (let nonce = await sentBy(from); !isOver; ) await sendMessage(from, to, ++nonce)
      }
      const streams = Promise.allSettled([stream(first, second), stream(second, first)])
      await task()
      isOver = true
      await streams
    }
    for (let round = 0; round < reverts; round++) {
      let id = 0
      await streaming(async () => {
        await later(random.below(200))
        id = (await devnet.dev.snapshot()).id
      })
      await streaming(async () => {
        await later(random.below(200))
        await devnet.dev.revert({ id })
      })
      await devnet.dev.revert({ id })
      await devnet.relay()
      expect(await receivedBy(second), `round ${round}`).toEqual(upTo(await sentBy(first)))
      expect(await receivedBy(first), `round ${round}`).toEqual(upTo(await sentBy(second)))
    }
  })
})

/** Starts a node that relays between two L1s. */
async function startNode() {
  const data = ["--data-dir", join(built.folder, "relay"), "--http-port", "0", "--json", "--log-level", "error"]
  const l1s = ["--plugin-dir", pluginDir, "--c-chain", "off", "--l1", "first=subnet-evm;second=subnet-evm", "--auto-relay"]
  const child = spawn(process.execPath, [built.bin, ...data, ...l1s], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const { url } = JSON.parse(String(line)) as { url: string }
  const { l1s: listed } = await httpClient(url)("dev.listL1s")
  const named = (name: string) => {
    const l1 = listed.find((each) => each.name === name)
    if (!l1) throw new Error(`${name} is missing`)
    return { ...l1, rpcUrl: `${url}/ext/bc/${name}/rpc` }
  }
  return { child, ended, first: named("first"), second: named("second") }
}

const kills = attempts(50)
test(`a node that is killed ${kills} times while it relays loses no message, and delivers each once, in order`, {
  ...needsPlugin("subnet-evm"),
  timeout: 120_000 + kills * 10_000,
}, async () => {
  const random = new Random(seed("moments of killing a relay"))
  let [toSecond, toFirst] = [0, 0]
  for (let round = 0; round <= kills; round++) {
    const { child, ended, first, second } = await startNode()
    if (round === 0) for (const l1 of [first, second]) await deployMessenger(l1)
    // Messages whose receipts were seen are there.
    const sent = [await sentBy(first), await sentBy(second)] as const
    expect(sent[0]).toBeGreaterThanOrEqual(toSecond)
    expect(sent[1]).toBeGreaterThanOrEqual(toFirst)
    ;[toSecond, toFirst] = sent
    const delivered = () => Promise.all([waitForMessages(second, upTo(toSecond)), waitForMessages(first, upTo(toFirst))])
    if (round === kills) await delivered().finally(() => child.kill("SIGKILL"))
    else {
      const moment = random.below(500)
      // On a busy machine a message may take longer than any moment of a kill.
      let begin = () => {
        begin = () => {}
        setTimeout(() => child.kill("SIGKILL"), moment)
      }
      const stream = async (send: () => Promise<unknown>) => {
        for (;;) await send().then(() => begin())
      }
      const streams = [
        stream(() => sendMessage(first, second, toSecond + 1).then(() => toSecond++)),
        stream(() => sendMessage(second, first, toFirst + 1).then(() => toFirst++)),
      ]
      await Promise.allSettled(streams)
    }
    await ended
  }
  expect(toSecond + toFirst).toBeGreaterThanOrEqual(kills)
})
