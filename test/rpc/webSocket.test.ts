import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { WebSocket } from "ws"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { defaultClientLimits } from "../../src/jsonrpc/http/options.js"
import { localApi, serve } from "../fixtures/api.js"

const EVENTS = "/ext/bc/P/events"

let net: Devnet
beforeAll(async () => {
  net = await startDevnet({ startTime: 1_900_000_000n, freezeTime: true, accounts: 3 })
})
afterAll(() => net.stop())

interface Message {
  readonly event: string
  readonly id?: string
  readonly data: { readonly [name: string]: unknown }
}

/** Opens a WebSocket and collects its messages; `next` gives one after the other. */
async function listen(url: string, query = "", headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace("http", "ws")}${EVENTS}${query}`, { headers })
  const messages: Message[] = []
  let wake = () => {}
  socket.on("message", (data) => {
    messages.push(JSON.parse(data.toString()))
    wake()
  })
  const closed = new Promise<number>((resolve) => socket.on("close", resolve))
  await once(socket, "open")
  return {
    socket,
    closed,
    async next(): Promise<Message> {
      while (messages.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return messages.shift() as Message
    },
  }
}

/** The status and text with which a WebSocket is refused. */
function refusal(url: string, headers: Record<string, string> = {}): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace("http", "ws"), { headers })
    socket.on("error", () => {})
    socket.on("open", () => reject(new Error("it was opened")))
    socket.on("unexpected-response", async (_request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of response) pieces.push(piece)
      resolve([response.statusCode, Buffer.concat(pieces).toString()])
    })
  })
}

test("a WebSocket sends the events of the stream: first the past ones from a height on, then new ones", async () => {
  const past = await net.dev.fund({ address: net.keys[2]!.address, amount: 5n })
  const { height } = await net.rpc("platform.getHeight")
  const stream = await listen(net.url, `?from=${height}`)
  const tx = await stream.next()
  const block = await stream.next()
  expect(tx).toMatchObject({ event: "tx", data: { txID: past.txID, kind: "BaseTx", height: `${height}`, status: "Committed" } })
  expect(block).toMatchObject({
    event: "block",
    id: expect.stringContaining(`${height}-`),
    data: { height: `${height}`, txs: [past.txID] },
  })
  const { txID } = await net.dev.fund({ address: net.keys[2]!.address, amount: 5n })
  expect([await stream.next(), await stream.next()]).toMatchObject([
    { event: "tx", data: { txID } },
    { event: "block", id: expect.stringContaining(`${height + 1n}-`) },
  ])
  stream.socket.terminate()
})

test("filters pass the matching transactions with their blocks", async () => {
  const [, , first, second] = net.keys.map(({ address }) => address) as [string, string, string, string]
  const from = `from=${(await net.rpc("platform.getHeight")).height + 1n}`
  const paid = await net.dev.fund({ address: first, amount: 7n })
  const other = await net.dev.fund({ address: second, amount: 7n })
  const l1 = await net.dev.createL1()
  const added = await net.dev.addValidators({ count: 1 })
  const txOf = async (filter: string) => {
    const stream = await listen(net.url, `?${from}&${filter}`)
    const [tx, block] = [await stream.next(), await stream.next()]
    stream.socket.terminate()
    expect([tx.event, block.event]).toEqual(["tx", "block"])
    return tx.data.txID
  }
  expect(await txOf(`addresses=${first}`)).toBe(paid.txID)
  expect(await txOf(`address=${second}`)).toBe(other.txID)
  expect(await txOf("kinds=ConvertSubnetToL1Tx,ImportTx")).toBe(l1.txIDs[2])
  expect(await txOf(`subnets=${l1.subnetID}&kinds=CreateChainTx`)).toBe(l1.txIDs[1])
  expect(await txOf(`nodes=${added.nodeIDs[0]}`)).toBe(added.txIDs[0])
  expect(await txOf(`nodes=${l1.validators[0]!.nodeID}`)).toBe(l1.txIDs[2])
  // The same filters on server-sent events.
  const response = await fetch(`${net.url}${EVENTS}?${from}&nodes=${added.nodeIDs[0]}`)
  const { value } = await response.body!.getReader().read()
  expect(Buffer.from(value!).toString()).toContain(`"txID":"${added.txIDs[0]}"`)
  await response.body?.cancel().catch(() => {})
})

test("a revert is announced to WebSockets, too", async () => {
  const { id, height } = await net.dev.snapshot()
  const stream = await listen(net.url)
  await net.dev.fund({ address: net.keys[2]!.address, amount: 5n })
  await stream.next()
  await stream.next()
  await net.dev.revert({ id })
  expect(await stream.next()).toMatchObject({ event: "revert", data: { height: height.toString() } })
  stream.socket.terminate()
})

test("a WebSocket that cannot be opened is refused with a reason", async () => {
  const at = (path: string) => refusal(`${net.url}${path}`)
  expect(await at(`${EVENTS}?kinds=Nonsense`)).toEqual([400, 'no transaction is of the kind "Nonsense"\n'])
  expect((await at(`${EVENTS}?nodes=x`))[1]).toContain('the parameter "nodes" of the event stream cannot be read')
  expect((await at(`${EVENTS}?height=1`))[0]).toBe(400)
  expect(await at("/ext/info")).toEqual([405, "rpc: POST method required, received GET"])
  expect(await at("/ext/bc/P/blocks")).toEqual([400, "nothing is served over WebSocket at this path\n"])
  expect((await at("/nowhere"))[0]).toBe(404)
})

test("a client that resets its connection while its WebSocket is refused or opened does not end the process", async () => {
  const upgrade =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
  for (let i = 0; i < 40; i++) {
    const socket = connect(Number(new URL(net.url).port), "127.0.0.1")
    const closed = once(socket, "close")
    await once(socket, "connect")
    socket.write(`GET ${i % 2 === 0 ? "/nowhere" : EVENTS} HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n\r\n`)
    // At different moments of the answer: before it is written, or when it has come.
    if (i % 4 < 2) await new Promise((resolve) => setImmediate(resolve))
    else await once(socket, "data")
    socket.resetAndDestroy()
    await closed
  }
  expect(await refusal(`${net.url}/nowhere`)).toMatchObject([404, expect.any(String)])
})

test("a client that sends messages is disconnected", async () => {
  const stream = await listen(net.url)
  stream.socket.send("hello")
  expect(await stream.closed).toBe(1008)
})

test("a WebSocket is opened when the requests before it on its connection have been answered", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"info.getNetworkID"}'
  const call = `POST /ext/info HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const socket = connect(Number(new URL(net.url).port), "127.0.0.1")
  socket.write(
    `${call.repeat(3)}GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  )
  let text = ""
  for await (const piece of socket) {
    text += piece
    if (text.includes("HTTP/1.1 101 ")) break
  }
  expect([...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "200", "200", "101"])
})

/** Opens a WebSocket of which the test writes the frames itself. */
async function rawWebSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  socket.write(
    `GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  )
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 101 /)
  return socket.resume()
}

/** An empty frame of a client: its first byte, its length, and its mask. */
const frame = (first: number) => Buffer.from([first, 0x80, 0, 0, 0, 0])

test.each([
  ["pieces of a message that never ends", Buffer.concat([frame(0x01), ...Array(20_000).fill(frame(0x00))])],
  ["pings", Buffer.concat(Array(20_000).fill(frame(0x89)))],
  ["pongs", Buffer.concat(Array(20_000).fill(frame(0x8a)))],
])("a client of a public server that sends %s pays for them, and is cut off", async (_what, frames) => {
  const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 100, unitsPerMillisecond: 1 }
  await using server = await serve(localApi({ isPublic: true }).api, { limits })
  const socket = await rawWebSocket(server.port)
  const closed = new Promise((resolve) => socket.once("close", resolve))
  socket.write(frames)
  await closed
})

test("WebSockets and streams share their limit, and pages of origins that may not read are refused", async () => {
  const { api, node } = localApi()
  await using server = await serve(api, { maxStreams: 1, allowedOrigins: ["https://good.example"] })
  expect(node.networkID).toBe(12345)
  const evil = await refusal(`${server.url}${EVENTS}`, { origin: "https://evil.example" })
  expect(evil[0]).toBe(403)
  const first = await listen(server.url, "", { origin: "https://good.example" })
  expect(await refusal(`${server.url}${EVENTS}`)).toEqual([503, "too many clients listen for events\n"])
  expect((await fetch(`${server.url}${EVENTS}`)).status).toBe(503)
  first.socket.terminate()
})
