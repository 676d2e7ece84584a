import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { localApi, raw, serve, type TestServer } from "../../fixtures/api.js"
import { HEIGHT, P } from "./question.js"

// Where one request ends and the next one begins must be clear, or a proxy in front of the server could be made to see other requests than the
// server does. Nothing behind an unclear request may be answered.

let server: TestServer
beforeAll(async () => {
  server = await serve(localApi().api)
})
afterAll(() => server[Symbol.asyncDispose]())

const CHUNKED = `${HEIGHT.length.toString(16)}\r\n${HEIGHT}\r\n0\r\n\r\n`

/** A call with these headers, each with the end of its line, and this body. */
const call = (headers: string, body = HEIGHT, version = "1.1") =>
  `POST ${P} HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n${body}`
const length = (value: string | number = HEIGHT.length) => `Content-Length: ${value}\r\n`
const plain = call(length())
const chunked = "Transfer-Encoding: chunked\r\n"
const h2c = "Connection: Upgrade\r\nUpgrade: h2c\r\n"

const statusesIn = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status as string)

describe("a request whose end is not clear is refused, and nothing after it is read", () => {
  test.each([
    ["a length and chunks", call(length() + chunked, CHUNKED)],
    ["chunks and a length", call(chunked + length(5), CHUNKED)],
    ["two lengths", call(length(3) + length())],
    ["the same length twice", call(length() + length())],
    ["a list of lengths", call(length(`${HEIGHT.length}, ${HEIGHT.length}`))],
    ["a length with a sign", call(length(`+${HEIGHT.length}`))],
    ["a length below zero", call(length(-1))],
    ["a length in hex", call(length("0x42"))],
    ["a length beyond 64 bits", call(length("99999999999999999999"))],
    ["a blank before the colon", call(`Content-Length : ${HEIGHT.length}\r\n`)],
    ["an unknown encoding", call("Transfer-Encoding: xchunked\r\n", CHUNKED)],
    ["chunks that are not last", call("Transfer-Encoding: chunked, identity\r\n", CHUNKED)],
    ["chunks with line feeds alone", call(chunked, CHUNKED.replaceAll("\r\n", "\n"))],
    ["a length among the trailers of chunks", call(chunked, CHUNKED.replace("0\r\n\r\n", "0\r\nContent-Length: 5\r\n\r\n"))],
    ["a header on two lines", call(`X: a\r\n b\r\n${length()}`)],
    ["a carriage return alone", call(`X: a\rContent-Length: 0\r\n${length()}`)],
    ["a zero byte", call(`X: a\0b\r\n${length()}`)],
    ["line feeds alone", plain.replaceAll("\r\n", "\n")],
  ])("%s", async (_what, bytes) => {
    const got = await raw(server.port, bytes + plain)
    expect([statusesIn(got), got.includes('"id":1')]).toEqual([["400"], false])
  })
})

/** From these versions on Node declines an upgrade to another protocol than WebSocket. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const declinesUpgrades = major > 24 || (major === 24 && minor >= 9) || (major === 22 && minor >= 21)
/** Node 22.23 and 24.21 lose a request that arrives in the same packet as an upgrade which is declined. No client sends one before it has the answer. */
const behindUpgrade = declinesUpgrades ? "" : plain

describe("requests that follow each other are separated", () => {
  const head = (path: string) => `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  test.each([
    ["of different lengths", plain + call(length(HEIGHT.length + 9), `${HEIGHT}${" ".repeat(9)}`) + plain, ["200", "200", "200"]],
    ["with and without a body of chunks", plain + call(chunked, CHUNKED) + plain, ["200", "200", "200"]],
    ["without a length", call("", "") + plain, ["200", "200"]],
    ["whose answers have no body", head("/ext/openrpc.json") + plain + head(P) + plain, ["200", "200", "405", "200"]],
    ["with a body that is not read", `GET ${P} HTTP/1.1\r\nHost: localhost\r\n${length()}\r\n${HEIGHT}${plain}`, ["405", "200"]],
    ["that wait for 100 Continue, and do not", call(`Expect: 100-continue\r\n${length()}`) + plain, ["100", "200", "200"]],
    ["of HTTP/1.0 and HTTP/1.1", call(`Connection: keep-alive\r\n${length()}`, HEIGHT, "1.0") + plain, ["200", "200"]],
    ["with another upgrade", call(`${h2c}${length()}`) + behindUpgrade, declinesUpgrades ? ["200"] : ["400"]],
    [
      "with another upgrade after one that is not answered yet",
      plain + call(h2c + length()) + behindUpgrade,
      declinesUpgrades ? ["200", "200"] : ["200", "400"],
    ],
  ])("%s", async (_what, bytes, statuses) => {
    const isEnough = (text: string) => statusesIn(text).length === statuses.length && /(}|Upgrade)\n$/.test(text)
    expect(statusesIn(await raw(server.port, bytes, isEnough))).toEqual(statuses)
  })

  test("a request after the answer to another upgrade is served, if that was declined", async () => {
    const socket = connect(server.port, "127.0.0.1").setEncoding("latin1")
    let text = ""
    const answers = async (count: number) => {
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        text += chunk
        if (statusesIn(text).length === count && /(}|Upgrade)\n$/.test(text)) return
      }
    }
    socket.write(call(`${h2c}${length()}`))
    await answers(1)
    if (declinesUpgrades) {
      socket.write(plain)
      await answers(2)
    }
    socket.destroy()
    expect(statusesIn(text)).toEqual(declinesUpgrades ? ["200", "200"] : ["400"])
  })

  test("nothing is read after a request of HTTP/1.0", async () => {
    expect(statusesIn(await raw(server.port, call(length(), HEIGHT, "1.0")))).toEqual(["200"])
  })
})

test("a client that begins with HTTP/2 is told that the server does not speak it", async () => {
  const got = await raw(server.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
  expect([statusesIn(got), got.endsWith("this server speaks HTTP/1.1 and WebSocket, and no HTTP/2")]).toEqual([["505"], true])
})
