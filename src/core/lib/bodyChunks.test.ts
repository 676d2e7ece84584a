import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, onTestFinished, test } from "vitest"
import { bodyChunks } from "./bodyChunks.js"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** A server that sends one piece of a body and leaves the rest to the test. */
async function silentServer(): Promise<{ readonly url: string; readonly response: () => ServerResponse }> {
  let response: ServerResponse | undefined
  const server = createServer((_request, given) => {
    response = given
    given.write("first")
  }).listen(0, "127.0.0.1")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once("listening", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, response: () => response as ServerResponse }
}

async function opened(url: string, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array, void>> {
  return bodyChunks((await fetch(url, { signal })).body as ReadableStream<Uint8Array>, signal)
}

test("the signal ends a body whose request was collected as garbage", async () => {
  const { url, response } = await silentServer()
  const controller = new AbortController()
  const chunks = await opened(url, controller.signal)
  expect(Buffer.from((await chunks.next()).value ?? [])).toEqual(Buffer.from("first"))
  const next = chunks.next()
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  const closed = new Promise((resolve) => response().once("close", resolve))
  controller.abort(new Error("enough"))
  await expect(next).rejects.toThrow("enough")
  await closed
})

test("a body is read to its end, and a body that is left is cancelled", async () => {
  const { url, response } = await silentServer()
  const { signal } = new AbortController()
  const chunks = await opened(url, signal)
  await chunks.next()
  response().end("last")
  expect(Buffer.from((await chunks.next()).value ?? [])).toEqual(Buffer.from("last"))
  expect((await chunks.next()).done).toBe(true)
  const left = await opened(url, signal)
  await left.next()
  const closed = new Promise((resolve) => response().once("close", resolve))
  await left.return()
  await closed
})
