import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { MAX_SIZE } from "../../../src/core/txs/tx.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { defaultClientLimits } from "../../../src/jsonrpc/http/options.js"
import { exampleTxHex, exampleTxID } from "../../../src/services/platform/txs/exampleTx.js"
import { exchange, fakeNode, localApi, post, raw, serve, type TestServer } from "../../fixtures/api.js"
import { usedMemory } from "../../fixtures/usedMemory.js"
import { needsSoak } from "../../fuzz/random.js"
import { HEIGHT, HEIGHT_ANSWER, P, requestText } from "./question.js"

const isPublic = { isPublic: true } as const

/** The value of a metric, read by a separate client. */
async function metric(server: TestServer, name: string): Promise<number> {
  const { body } = await exchange(server, { path: "/ext/metrics", localAddress: "127.0.0.9" })
  return Number(
    body
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1] ?? 0,
  )
}

/** Connects from an address of its own, and waits until the server has the connection. */
async function connected(server: TestServer, address = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress: address })
  socket.on("error", () => {})
  await once(socket, "connect")
  return socket
}

const chunkedHead = `POST ${P} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

describe("a body in one-byte chunks", () => {
  const unlimited = { ...defaultClientLimits, unitsPerSecond: 1e6, burst: 1e6 }
  const inChunks = (text: string, size: number) => {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
    return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")
  }

  test.each([
    ["a thousand of one byte", HEIGHT.padEnd(1000), 1],
    ["five thousand of 128 bytes", HEIGHT.padEnd(640_000), 128],
  ])("is read like any other if it has few chunks or large ones: %s", async (_, body, size) => {
    await using server = await serve(localApi(isPublic).api, { limits: unlimited })
    const got = await raw(server.port, `${chunkedHead}${inChunks(body, size)}0\r\n\r\n`, (text) => text.endsWith(HEIGHT_ANSWER))
    expect(got).toMatch(/^HTTP\/1.1 200 /)
  })

  test("is refused when it has more than 1,024 small chunks, takes no memory, and its connection ends (F1)", async () => {
    await using server = await serve(localApi(isPublic).api, { limits: unlimited, readTimeout: 600_000 })
    const sockets = await Promise.all(Array.from({ length: 4 }, () => connected(server)))
    const before = usedMemory()
    const answers = sockets.map((socket) => once(socket, "data"))
    const closed = sockets.map((socket) => once(socket, "close"))
    for (const socket of sockets) socket.write(chunkedHead + "1\r\n \r\n".repeat(65_000))
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toMatch(/^HTTP\/1.1 413 .*rpc.too_many_pieces/s)
    await Promise.all(closed)
    expect(usedMemory() - before).toBeLessThan(4e6)
  })

  test("is read over one connection in a turn of the event loop, so that other clients do not wait for all", async () => {
    await using server = await serve(localApi(isPublic).api, { limits: unlimited })
    const addresses = Array.from({ length: 16 }, (_, i) => (i < 8 ? "127.0.0.1" : `127.0.1.${i}`))
    const sockets = await Promise.all(addresses.map((address) => connected(server, address)))
    const closed = sockets.map((socket) => once(socket.resume(), "close"))
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    // Node accepts one connection in a turn.
    for (let i = 0; i < 2 * sockets.length; i++) await turn()
    let begun = 0
    const onBegin = () => void begun++
    subscribe("http.server.request.start", onBegin)
    for (const socket of sockets) socket.write(chunkedHead + "1\r\n \r\n".repeat(10_000))
    let most = 0
    for (let last = 0; last < sockets.length; last = begun) {
      await turn()
      most = Math.max(most, begun - last)
    }
    unsubscribe("http.server.request.start", onBegin)
    await Promise.all(closed)
    expect(most).toBe(1)
  })
})

describe("connections", () => {
  test("beyond the limit of all clients are ended, and a newcomer is served once silent ones have ended (F9)", async () => {
    const limits = { ...defaultClientLimits, connections: 8, headersTimeout: 200 }
    await using server = await serve(localApi(isPublic).api, { limits, maxConnections: 4, readTimeout: 400 })
    const silent = await Promise.all(["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.4"].map((from) => connected(server, from)))
    const ask = () => post(server, P, HEIGHT).catch(() => undefined)
    expect(await ask()).toBeUndefined()
    await expect.poll(ask, { timeout: 10_000 }).toMatchObject({ status: 200, body: HEIGHT_ANSWER })
    for (const socket of silent) socket.destroy()
  })

  test("of a client whose debt is far above its budget are refused", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 1, unitsPerMillisecond: 1000 }
    await using server = await serve(localApi(isPublic).api, { limits })
    const outcome = await post(server, P, HEIGHT).catch((error: Error) => error.message)
    expect(outcome).toBe("socket hang up")
  })
})

describe("bytes of many connections", () => {
  /** The longest turn of the event loop while something happens, in milliseconds of this process's CPU. */
  async function longestTurn(work: () => Promise<void>): Promise<number> {
    const cpu = () => process.cpuUsage().user + process.cpuUsage().system
    let [longest, last, isOver] = [0, cpu(), false]
    const look = () => {
      longest = Math.max(longest, cpu() - last)
      last = cpu()
      if (!isOver) setImmediate(look)
    }
    look()
    await work()
    isOver = true
    return longest / 1000
  }

  // It measures CPU, and takes a while of it.
  test("are parsed a read at a time, and requests without end are cut off", needsSoak, async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 1e6, burst: 1e6 }
    await using server = await serve(localApi(isPublic).api, { limits })
    const attack = async (text: string) => {
      const sockets = await Promise.all(Array.from({ length: 30 }, () => connected(server)))
      const turn = await longestTurn(async () => {
        for (const socket of sockets) socket.resume().write(text)
        for (let i = 0; i < 20; i++) await metric(server, "serac_rpc_pending")
      })
      for (const socket of sockets) socket.destroy()
      return turn
    }
    const requests = "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1900)
    for (const text of [chunkedHead + "1\r\n \r\n".repeat(10_900), requests]) {
      const turns = [await attack(text), await attack(text), await attack(text)]
      // All thirty in one turn took 600 ms and more.
      expect(Math.min(...turns)).toBeLessThan(200)
    }
  })
})

describe("streams", () => {
  const EVENTS = `${P}/events`
  const open = async (server: TestServer, address: string) => {
    const socket = await connected(server, address)
    socket.write(`GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [head] = await once(socket, "data")
    return { socket, status: Number(/^HTTP\/1.1 (\d+)/.exec(String(head))?.[1]) }
  }

  test("are shared among clients; the client with the most streams loses one to a newcomer (F9)", async () => {
    const limits = { ...defaultClientLimits, streams: 3 }
    await using server = await serve(localApi(isPublic).api, { limits, maxStreams: 4 })
    const first = await open(server, "127.0.0.2")
    const others = [await open(server, "127.0.0.2"), await open(server, "127.0.0.2")]
    expect((await open(server, "127.0.0.2")).status).toBe(503)
    const third = await open(server, "127.0.0.3")
    const isClosed = once(first.socket, "close")
    const newcomer = await open(server, "127.0.0.4")
    await isClosed
    expect([...others, third, newcomer].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await metric(server, "serac_event_streams")).toBe(4)
    for (const { socket } of [...others, third, newcomer]) socket.destroy()
  })
})

describe("a stream behind a request that waits", () => {
  test("ends with its connection", async () => {
    await using server = await serve(localApi(isPublic).api)
    const socket = await connected(server)
    const waiting = requestText(HEIGHT, "Serac-Min-Height: 5\r\n")
    socket.write(`${waiting}GET ${P}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await expect.poll(() => metric(server, "serac_event_streams")).toBe(1)
    socket.destroy()
    await expect.poll(() => metric(server, "serac_event_streams")).toBe(0)
  })
})

describe("refused requests", () => {
  test("are charged, and stop when the units are used up (F19)", async () => {
    // The clock does not advance, so the charge is 0.4 ms for the request, and its bytes.
    vi.useFakeTimers({ toFake: ["performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 100, unitsPerMillisecond: 1 }
    const kinds: Record<string, [status: number, charged: string, ask: (server: TestServer) => Promise<{ status: number }>]> = {
      "an unknown path": [404, "0.4", (server) => exchange(server, { path: "/nowhere" })],
      "a wrong method": [405, "0.4", (server) => exchange(server, { path: P, method: "PUT" })],
      "a wrong content type": [415, "0.4", (server) => exchange(server, { path: P, method: "POST" }, HEIGHT)],
      "a preflight": [
        200,
        "0.4",
        (server) => exchange(server, { path: P, method: "OPTIONS", headers: { "access-control-request-method": "POST" } }),
      ],
      "a bad batch": [200, "0.4", (server) => post(server, P, `[${"{},".repeat(999)}{}]`)],
      "an unknown method": [
        200,
        "1.0",
        (server) => post(server, P, `{"jsonrpc":"2.0","method":"platform.${"<".repeat(9999)}","id":1}`),
      ],
    }
    for (const [what, [status, charged, ask]] of Object.entries(kinds)) {
      await using server = await serve(localApi(isPublic).api, { limits: { ...limits, burst: 1e6 } })
      const before = await metric(server, "serac_client_units_total")
      expect([what, (await ask(server)).status]).toEqual([what, status])
      // The question costs one unit by itself.
      const used = (await metric(server, "serac_client_units_total")) - before - 1
      expect([what, used.toFixed(1)]).toEqual([what, charged])
    }
    await using server = await serve(localApi(isPublic).api, { limits })
    const [, , ask] = kinds["an unknown path"] as (typeof kinds)[string]
    let tries = 0
    while ((await ask(server)).status !== 429) expect(++tries).toBeLessThan(255)
  })
})

describe("answers that the client does not read", () => {
  test("are bounded: an answer beyond the room of its client is refused (F14)", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 1e6, burst: 1e6, maxUnread: 10 << 20 }
    await using server = await serve(localApi(isPublic).api, { limits })
    const discover = '{"jsonrpc":"2.0","method":"rpc.discover","id":1}'
    const batch = `[${Array(100).fill(discover).join()}]`
    const sockets = await Promise.all(Array.from({ length: 4 }, () => connected(server)))
    // A socket in paused mode reads a few kilobytes and leaves the rest.
    const begun = sockets.map((socket) => once(socket, "readable"))
    for (const socket of sockets) socket.write(requestText(batch, "Connection: close\r\n"))
    await Promise.all(begun)
    expect(await metric(server, "serac_unread_bytes")).toBeLessThanOrEqual(10 << 20)
    const read = async (socket: Socket) => {
      let text = ""
      socket.on("readable", () => {
        text += socket.read() ?? ""
      })
      socket.emit("readable")
      await once(socket, "close")
      return text
    }
    const texts = await Promise.all(sockets.map(read))
    expect(texts.every((text) => text.startsWith("HTTP/1.1 200 "))).toBe(true)
    expect(texts.some((text) => text.includes("rpc.answer_too_large"))).toBe(true)
    expect(await metric(server, "serac_unread_bytes")).toBe(0)
  })
})

describe("answers behind one that does not end", () => {
  test("count as unread until the connection ends, and are refused where they are too many", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 1e6, burst: 1e6, maxUnread: 1 << 20 }
    await using server = await serve(localApi(isPublic).api, { limits, heartbeat: 50 })
    const socket = await connected(server)
    const discover = requestText('{"jsonrpc":"2.0","method":"rpc.discover","id":1}')
    socket.write(`GET ${P}/events HTTP/1.1\r\nHost: localhost\r\n\r\n${discover.repeat(20)}`)
    await expect.poll(() => metric(server, "serac_unread_bytes")).toBeGreaterThan(900_000)
    expect(await metric(server, "serac_unread_bytes")).toBeLessThanOrEqual(1 << 20)
    socket.destroy()
    await expect.poll(() => metric(server, "serac_unread_bytes"), { timeout: 10_000 }).toBe(0)
  })
})

describe("a body", () => {
  test("of a public server may hold the largest transaction there is", () => {
    const tx = toHexText(new Uint8Array(MAX_SIZE))
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.issueTx", params: { tx, encoding: "hex" } })
    expect(body.length).toBeLessThan(defaultClientLimits.maxBody)
  })
})

describe("a batch that its client does not wait for", () => {
  test("frees the room of the answers that were made", async () => {
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const { api } = localApi({
      ...isPublic,
      node: fakeNode({
        issueTx: (_tx, pace) => pace.wait(gate),
      }),
    })
    await using server = await serve(api, { limits: { ...defaultClientLimits, unitsPerSecond: 1e6, burst: 1e6 } })
    const discover = '{"jsonrpc":"2.0","method":"rpc.discover","id":1}'
    const issue = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.issueTx", params: { tx: exampleTxHex } })
    const socket = await connected(server)
    socket.write(requestText(`[${Array(20).fill(discover).join()},${issue}]`))
    await expect.poll(() => metric(server, "serac_unread_bytes")).toBeGreaterThan(1_000_000)
    socket.destroy()
    await once(socket, "close")
    // The server learns of the end before it answers others.
    for (let i = 0; i < 3; i++) await metric(server, "serac_unread_bytes")
    open()
    await expect.poll(() => metric(server, "serac_unread_bytes")).toBe(0)
  })
})

describe("a transaction that is issued", () => {
  const issue = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.issueTx", params: { tx: exampleTxHex } })

  test("is charged for what it took behind a promise, and for proofs before they are verified (F5)", async () => {
    const limits = { ...defaultClientLimits, unitsPerSecond: 0.001, burst: 1000, unitsPerMillisecond: 1 }
    const order: string[] = []
    const { api } = localApi({
      ...isPublic,
      node: fakeNode({
        async issueTx(_tx, pace) {
          order.push("112 proofs ahead")
          pace.charge(112)
          await pace.wait(new Promise(setImmediate))
          order.push("block")
          pace.charge(700)
        },
      }),
    })
    await using server = await serve(api, { limits })
    const before = await metric(server, "serac_client_units_total")
    expect(JSON.parse((await post(server, P, issue)).body)).toMatchObject({ result: { txID: exampleTxID } })
    expect(order).toEqual(["112 proofs ahead", "block"])
    expect((await metric(server, "serac_client_units_total")) - before).toBeGreaterThanOrEqual(812)
    expect((await post(server, P, issue)).status).toBe(200)
    expect((await post(server, P, issue)).status).toBe(429)
  })
})
