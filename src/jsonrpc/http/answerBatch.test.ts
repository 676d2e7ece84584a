import { createServer } from "node:http"
import { Duplex } from "node:stream"
import { expect, test } from "vitest"
import { Addresses } from "./addresses.js"
import { AnswerBatch } from "./answerBatch.js"
import { HttpConnections } from "./connections.js"

/** A connection that records the writes: each is one call of the system. */
class RecordedConnection extends Duplex {
  readonly remoteAddress = "127.0.0.1"
  readonly writes: string[] = []

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.writes.push(chunk.toString())
    written()
  }

  override _writev(chunks: { readonly chunk: Buffer }[], written: () => void): void {
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString())
    written()
  }
}

/** A connection whose client takes bytes only when the test calls `release`. */
class SlowConnection extends Duplex {
  readonly taken: string[] = []
  release = (): void => {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.release = () => {
      this.taken.push(chunk.toString())
      written()
    }
  }
}

/** A connection to a server that answers each request with its body, and closes after `close`. */
function openConnection(): RecordedConnection {
  const connections = new HttpConnections({ total: 10, each: undefined, writeTimeout: 30_000 }, new Addresses([]))
  const server = createServer((request, response) => {
    const connection = connections.begin(request.socket, response)
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      if (connection) connections.end(connection)
      if (body === "close") response.setHeader("Connection", "close")
      response.end(`<${body}>`)
    })
  })
  server.on("connection", (socket) => connections.add(socket, { stop: () => {} }))
  const connection = new RecordedConnection()
  server.emit("connection", connection)
  return connection
}

const requestOf = (body: string) => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Sends requests together, and returns the bodies of the answers by write. */
async function answersTo(connection: RecordedConnection, bodies: readonly string[]): Promise<string[][]> {
  const from = connection.writes.length
  const isAnswered = () => connection.writes.join("").includes(`<${bodies.at(-1)}>`)
  connection.push(bodies.map(requestOf).join(""))
  while (!isAnswered()) await new Promise(setImmediate)
  return connection.writes.slice(from).map((text) => [...text.matchAll(/<([^>]*)>/g)].map(([, body]) => body as string))
}

test("the answers to requests that were read together go out in one write", async () => {
  const connection = openConnection()
  expect(await answersTo(connection, ["1"])).toEqual([["1"]])
  expect(await answersTo(connection, ["2", "3", "4", "5"])).toEqual([["2", "3", "4", "5"]])
  expect(await answersTo(connection, ["6"])).toEqual([["6"]])
  connection.destroy()
})

test("a long answer ends the collecting, and keeps its place", async () => {
  const connection = openConnection()
  const long = "x".repeat(40_000)
  expect(await answersTo(connection, ["1", "2", long, "3", "4"])).toEqual([["1", "2", long], ["3"], ["4"]])
  connection.destroy()
})

test("collected answers are written before the connection ends", async () => {
  const connection = openConnection()
  const ended = new Promise((resolve) => connection.once("finish", resolve))
  expect(await answersTo(connection, ["1", "close"])).toEqual([["1", "close"]])
  await ended
})

test("a callback is called when the system has taken what was collected", async () => {
  const connection = new SlowConnection()
  const batch = new AnswerBatch(connection as never, 30_000)
  let isWritten = false
  const written = new Promise<void>((resolve) => {
    batch.open()
    connection.write("1")
    batch.onWritten(() => {
      isWritten = true
      resolve()
    })
  })
  expect([batch.hasCollected, connection.taken]).toEqual([true, []])
  await new Promise(setImmediate)
  expect([batch.hasCollected, connection.writableLength, isWritten]).toEqual([false, 1, false])
  connection.release()
  await written
  expect(connection.taken).toEqual(["1"])
})

test("a client that does not take what was collected is cut off", async () => {
  const connection = new SlowConnection()
  const batch = new AnswerBatch(connection as never, 1)
  batch.open()
  connection.write("1")
  const closed = new Promise((resolve) => connection.once("close", resolve))
  await closed
})
