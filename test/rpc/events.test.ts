import { get, type IncomingMessage } from "node:http"
import { expect, test } from "vitest"
import { type Block, type BlockBody, blockOf } from "../../src/core/blocks/block.js"
import { Diff } from "../../src/core/state/diff.js"
import { type Removals, withRemoval } from "../../src/core/state/removedBlocks.js"
import { TxStatus, tables } from "../../src/core/state/tables.js"
import { idText } from "../../src/core/types/id.js"
import type { Store } from "../../src/store/store.js"
import { exchange, type FakeNode, localApi, serve, type TestServer } from "../fixtures/api.js"
import { signedFixture } from "../fixtures/txs.js"

const EVENTS = "/ext/bc/P/events"

/** One event as a browser would see it. */
interface SeenEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Record<string, unknown>
}

/** Listens like a browser; `next` gives one event after the other. */
async function listen(server: TestServer, path = EVENTS, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ host: "127.0.0.1", port: server.port, path, headers, agent: false }, resolve)
  })
  let text = ""
  let wake = () => {}
  response.on("data", (chunk: Buffer) => {
    text += chunk.toString()
    wake()
  })
  let isClosed = false
  response.on("close", () => {
    isClosed = true
    wake()
  })
  response.on("error", () => {})
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  return {
    response,
    async next(): Promise<SeenEvent> {
      while (!text.includes("\n\n")) await more()
      const end = text.indexOf("\n\n")
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      )
      text = text.slice(end + 2)
      return { event: fields.event as string, id: fields.id, data: JSON.parse(fields.data ?? "{}") }
    },
    async ended(): Promise<void> {
      while (!isClosed) await more()
    },
    stop: () => response.destroy(),
  }
}

/** Accepts blocks: writes their rows and calls the listeners. */
function chain(store: Store, node: FakeNode) {
  const accept = (
    bodyOf: (parent: { id: Block["id"]; height: bigint }) => BlockBody,
    status: number = TxStatus.committed,
  ): Block => {
    const parent = store.latest.get(tables.lastAccepted, null)!
    const block = blockOf(bodyOf(parent))
    const diff = new Diff(store.latest)
    diff.put(tables.blocks, block.id, block.bytes)
    diff.put(tables.blockIDs, block.height, block.id)
    diff.put(tables.lastAccepted, null, { id: block.id, height: block.height })
    for (const tx of [...("txs" in block ? block.txs : []), ...("tx" in block ? [block.tx] : [])]) {
      diff.put(tables.txs, tx.id, { status, height: block.height, bytes: tx.bytes })
    }
    store.commit(diff.edits)
    node.emit({ kind: "block", block })
    return block
  }
  const empty = () =>
    accept(({ id, height }) => ({ kind: "BanffStandardBlock", time: 1000n + height, parentID: id, height: height + 1n, txs: [] }))
  let removed: Removals = []
  Object.assign(node, { removedBlocks: () => removed })
  const revert = (height: bigint) => {
    const id = store.latest.get(tables.blockIDs, height)!
    const tip = store.latest.get(tables.lastAccepted, null)!.height
    removed = withRemoval(removed, tip, { height, id }, (at) => store.latest.get(tables.blockIDs, at))
    const diff = new Diff(store.latest)
    diff.put(tables.lastAccepted, null, { id, height })
    store.commit(diff.edits)
    node.emit({ kind: "revert", id, height })
  }
  return { accept, empty, revert }
}

const heights = async (listener: { next(): Promise<SeenEvent> }, count: number) => {
  const seen: unknown[] = []
  for (let i = 0; i < count; i++) seen.push((await listener.next()).id?.replace(/-.*/, ""))
  return seen
}

test("accepted blocks are announced with their transactions", async () => {
  const { api, node, store } = localApi()
  const { accept } = chain(store, node)
  await using server = await serve(api)
  const listener = await listen(server)
  expect(listener.response.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    vary: "Origin",
  })
  const tx = signedFixture("BaseTx")
  const block = accept(({ id, height }) => ({
    kind: "BanffStandardBlock",
    time: 1000n,
    parentID: id,
    height: height + 1n,
    txs: [tx],
  }))
  expect(await listener.next()).toEqual({
    event: "tx",
    id: undefined,
    data: {
      txID: idText(tx.id),
      kind: tx.unsignedTx.kind,
      status: "Committed",
      height: "1",
      blockID: idText(block.id),
      timestamp: "1970-01-01T00:16:40Z",
      effect: expect.stringMatching(/ to P-/),
    },
  })
  expect(await listener.next()).toEqual({
    event: "block",
    id: `1-${idText(block.id)}`,
    data: {
      height: "1",
      id: idText(block.id),
      parentID: idText(block.parentID),
      kind: "BanffStandardBlock",
      timestamp: "1970-01-01T00:16:40Z",
      txs: [idText(tx.id)],
      gasPrice: 1,
      validatorPrice: 1,
    },
  })
  listener.stop()
})

test("a proposal's transaction is announced when it is decided", async () => {
  const { api, node, store } = localApi()
  const { accept } = chain(store, node)
  await using server = await serve(api)
  const listener = await listen(server)
  const tx = signedFixture("BaseTx")
  accept(
    ({ id, height }) => ({ kind: "BanffProposalBlock", time: 1n, txs: [], parentID: id, height: height + 1n, tx }),
    TxStatus.aborted,
  )
  expect(await listener.next()).toMatchObject({ event: "block", data: { height: "1", txs: [idText(tx.id)] } })
  accept(({ id, height }) => ({ kind: "BanffAbortBlock", time: 1n, parentID: id, height: height + 1n }))
  expect(await listener.next()).toMatchObject({ event: "tx", data: { txID: idText(tx.id), status: "Aborted", height: "2" } })
  expect(await listener.next()).toMatchObject({ event: "block", data: { height: "2" } })
  listener.stop()
})

test("a client that reconnects gets the events that it missed, then the new ones", async () => {
  const { api, node, store } = localApi()
  const { empty } = chain(store, node)
  await using server = await serve(api)
  for (let i = 0; i < 200; i++) empty()
  const listener = await listen(server, EVENTS, { "last-event-id": "3" })
  expect(await heights(listener, 197)).toEqual(Array.from({ length: 197 }, (_, i) => String(i + 4)))
  empty()
  expect(await heights(listener, 1)).toEqual(["201"])
  const other = await listen(server, "/ext/P/events?from=200")
  expect(await heights(other, 2)).toEqual(["200", "201"])
  const after = await listen(server, "/ext/P/events?after=199")
  expect(await heights(after, 2)).toEqual(["200", "201"])
  for (const each of [listener, other, after]) each.stop()
})

test("a client that has seen nothing waits for the height that it names, also across a revert", async () => {
  const { api, node, store } = localApi()
  const { empty, revert } = chain(store, node)
  await using server = await serve(api)
  for (let i = 0; i < 5; i++) empty()
  const waiting = await listen(server, "/ext/P/events?from=7")
  const seen = await listen(server, "/ext/P/events?after=9")
  expect(await seen.next()).toMatchObject({ event: "revert", data: { height: "5" } })
  revert(3n)
  for (let i = 0; i < 4; i++) empty()
  expect(await waiting.next()).toMatchObject({ event: "block", data: { height: "7" } })
  for (const each of [waiting, seen]) each.stop()
})

test("a revert of the chain is announced, and events continue from there", async () => {
  const { api, node, store } = localApi()
  const { accept, empty, revert } = chain(store, node)
  await using server = await serve(api)
  for (let i = 0; i < 5; i++) empty()
  const listener = await listen(server, EVENTS, { "last-event-id": "4" })
  expect(await heights(listener, 1)).toEqual(["5"])
  const [two, ...blocks] = [2n, 3n, 4n, 5n].map((height) => idText(store.latest.get(tables.blockIDs, height)!))
  revert(2n)
  const reverted = { event: "revert", id: `2-${two}`, data: { height: "2", id: two, blocks } }
  expect(await listener.next()).toEqual(reverted)
  const three = empty()
  expect(await listener.next()).toMatchObject({ event: "block", id: `3-${idText(three.id)}` })
  listener.stop()
  // A client that comes back with a block that is gone is told the last one that it has in common with the chain, also if the chain has grown.
  for (let i = 0; i < 7; i++)
    accept(({ id, height }) => ({ kind: "BanffStandardBlock", time: 2000n + height, parentID: id, height: height + 1n, txs: [] }))
  const late = await listen(server, `${EVENTS}?after=5-${blocks[2]}`)
  expect(await late.next()).toEqual(reverted)
  expect(await heights(late, 2)).toEqual(["3", "4"])
  late.stop()
  // A height alone is believed, and a block that nobody knows begins the chain anew.
  const old = await listen(server, EVENTS, { "last-event-id": "5" })
  expect(await heights(old, 1)).toEqual(["6"])
  old.stop()
  const unknown = await listen(server, `${EVENTS}?after=5-${idText("ff".repeat(32) as Block["id"])}`)
  expect(await unknown.next()).toMatchObject({ event: "revert", data: { height: "0" } })
  unknown.stop()
})

test("a stream sends keep-alive comments, also beyond the time limit of a request", async () => {
  const { api } = localApi()
  await using server = await serve(api, { heartbeat: 20, readTimeout: 60, headersTimeout: 60, writeTimeout: 60 })
  const { response } = await listen(server)
  let beats = 0
  await new Promise<void>((resolve) => {
    response.on("data", (chunk: Buffer) => {
      beats += chunk.toString().split(": alive").length - 1
      if (beats >= 8) resolve()
    })
  })
  expect(response.destroyed).toBe(false)
  response.destroy()
})

test("streams have a limit, take GET only, and end with the server", async () => {
  const { api } = localApi()
  const server = await serve(api, { maxStreams: 1 })
  const listener = await listen(server)
  expect((await exchange(server, { path: EVENTS })).status).toBe(503)
  expect(await exchange(server, { path: EVENTS, method: "POST" })).toMatchObject({ status: 405 })
  expect(await exchange(server, { path: EVENTS, method: "HEAD" })).toMatchObject({ status: 503, body: "" })
  await server.server.close()
  await listener.ended()
  api.close()
})

test.each([
  ["?from=abc", 'the parameter "from" of the event stream takes a height in digits'],
  ["?owner=P-local1x", 'the event stream has no parameter "owner"; it takes from, after, kinds, addresses, subnets, nodes'],
])("a stream with the query %s is refused by the name of the parameter", async (query, text) => {
  await using server = await serve(localApi().api)
  const { status, body } = await exchange(server, { method: "GET", path: EVENTS + query })
  expect([status, body.trim()]).toEqual([400, text])
})

test("a stream that goes on after an event whose ID cannot be read is refused, and one after an empty ID begins with the next block", async () => {
  const { api, node, store } = localApi()
  const { empty } = chain(store, node)
  await using server = await serve(api)
  const after = (id: string) => exchange(server, { method: "GET", path: `${EVENTS}?from=0`, headers: { "last-event-id": id } })
  for (const id of ["banana", "-1", "3-", "3, 4"]) {
    const { status, body } = await after(id)
    const text =
      "the header Last-Event-ID of the event stream takes the ID of an event, such as 12-2pjM..., or a height in digits"
    expect([id, status, body.trim()]).toEqual([id, 400, text])
  }
  const listener = await listen(server, EVENTS, { "last-event-id": "" })
  empty()
  expect(await heights(listener, 1)).toEqual(["1"])
  listener.stop()
})
