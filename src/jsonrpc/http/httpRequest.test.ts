import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { HttpRequest } from "./httpRequest.js"

/** Answers a body of the declared size with the way in which it came, and the body. */
const server = createServer({ IncomingMessage: HttpRequest }, (request, response) => {
  const end = (way: string, body: Buffer) => response.end(`${way} ${body}`)
  const size = Number(request.headers["content-length"] ?? -1)
  const read = () =>
    request.takeBody({
      size,
      inPieces() {
        const pieces: Buffer[] = []
        return {
          take: (piece) => void pieces.push(piece),
          end: () => end(`${pieces.length} of ${request.pieces} pieces:`, Buffer.concat(pieces)),
        }
      },
      taken: (body) => end("whole:", body),
    })
  if (request.url === "/later") setImmediate(read)
  else read()
})

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})

afterAll(() => server.close())

/** The bodies of the answers in a text that are complete. */
function bodiesIn(text: string): readonly string[] {
  const answers = text.split("HTTP/1.1 200 OK\r\n").slice(1)
  return answers.flatMap((answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    return head.includes(`Content-Length: ${body.length}`) ? [body] : []
  })
}

/** Sends texts over one connection, each when Node has parsed the one before, and returns the bodies of the first `count` answers. */
async function answersTo(count: number, ...texts: readonly string[]): Promise<readonly string[]> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  await once(socket, "connect")
  let received = ""
  socket.setEncoding("latin1")
  const isDone = new Promise<void>((resolve) => {
    socket.on("data", (text: string) => {
      received += text
      if (bodiesIn(received).length >= count) resolve()
    })
  })
  for (const text of texts) {
    let heads = text.split("POST").length - 1
    const areParsed = new Promise<void>((resolve) => {
      const count = () => {
        if (--heads <= 0) resolve(void server.off("request", count))
      }
      if (heads === 0) resolve()
      else server.on("request", count)
    })
    socket.write(text)
    await areParsed
  }
  await isDone
  socket.destroy()
  return bodiesIn(received)
}

const post = (body: string, size = body.length) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${body}`

test("a body in one piece is taken whole", async () => {
  expect(await answersTo(1, post("abc"))).toEqual(["whole: abc"])
})

test("a body behind its head is taken whole", async () => {
  expect(await answersTo(1, post("", 3), "abc")).toEqual(["whole: abc"])
})

test("a body in two pieces is read piece by piece", async () => {
  expect(await answersTo(1, post("ab", 3), "c")).toEqual(["2 of 2 pieces: abc"])
})

test("requests that were sent together, and those after them, are answered in order", async () => {
  expect(await answersTo(4, post("one") + post("two"), post("th", 5), "ree", post("four"))).toEqual([
    "whole: one",
    "whole: two",
    "2 of 2 pieces: three",
    "whole: four",
  ])
})

test("an open connection refers to no request that was answered", async () => {
  const connected = once(server, "connection")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const [socket] = (await connected) as [Socket & { readonly parser: { readonly incoming: unknown } }]
  client.write(post("abc"))
  await once(client, "data")
  expect(socket.parser.incoming).toBe(null)
  client.destroy()
})

test("what came before its request is handled is one piece for the reader", async () => {
  const chunks = "1\r\na\r\n2\r\nbc\r\n"
  const chunked = `POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`
  expect(await answersTo(1, `${chunked}0\r\n\r\n`)).toEqual(["1 of 2 pieces: abc"])
  expect(await answersTo(1, "POST /later HTTP/1.1\r\nHost: a\r\n\r\n")).toEqual(["0 of 0 pieces: "])
  // This body is longer than what is read before its request is handled.
  const long = "x".repeat(300_000)
  const [answer] = await answersTo(1, `POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: ${long.length}\r\n\r\n${long}`)
  expect(answer?.slice(answer.indexOf(":") + 2)).toBe(long)
})

test("a body in chunks is read piece by piece", async () => {
  const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"
  expect(await answersTo(1, chunked)).toEqual(["2 of 2 pieces: abc"])
})
