import { once } from "node:events"
import { connect } from "node:net"
import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import type { HttpRequest } from "./httpRequest.js"
import { Listener } from "./listener.js"
import { defaultHttpOptions } from "./options.js"
import type { ParsingPace, RequestParsing } from "./requestParsing.js"

/** A server that answers each request with its path and the size of its body, and stops its parser where `stops` says so. */
async function listening(pace: ParsingPace, stops: (request: HttpRequest) => boolean) {
  const parsings = new Map<unknown, RequestParsing>()
  const listener = new Listener(
    { ...defaultHttpOptions, port: 0 },
    {
      onConnection: (socket, parsing) => void parsings.set(socket, parsing),
      paceOf: () => pace,
      onRequest(request, response, isWaiting) {
        if (stops(request)) parsings.get(request.socket)?.stop()
        if (isWaiting) response.writeContinue()
        let size = 0
        const take = (piece: Buffer) => {
          size += piece.length
        }
        const end = () => response.end(`<${request.url} ${size}>`)
        request.takeBody({ size: -1, inPieces: () => ({ take, end }), taken: () => {} })
      },
      onUpgrade: (request, socket, head) => socket.resume().end(`<${request.url} ${head}>`),
      onStray: (_error, socket) => void socket.destroy(),
    },
  )
  const { port } = await listener.listen()
  return { port, [Symbol.asyncDispose]: () => listener.close() }
}

/** A pace whose turns are used up at random. */
function randomPace(random: Random): ParsingPace {
  let isTurnOver = false
  return {
    get isTurnOver() {
      return isTurnOver
    },
    run(parse) {
      parse()
      isTurnOver = random.below(3) === 0
    },
    wait(callback) {
      setImmediate(() => {
        isTurnOver = false
        callback()
      })
    },
  }
}

/** A random request, and its answer. */
function request(random: Random, index: number): readonly [text: string, answer: string] {
  const size = random.pick([0, 1, 40, 3000])
  const head = `POST /${index} HTTP/1.1\r\nHost: localhost\r\n${random.pick(["", "", "Connection: Upgrade\r\nUpgrade: h2c\r\n"])}`
  const expect = random.pick(["", "", "Expect: 100-continue\r\n"])
  const trailers = random.pick(["", "Trailer-Field: 1\r\n"])
  return random.pick([
    [`GET /${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`, `</${index} 0>`],
    [`${head}${expect}Content-Length: ${size}\r\n\r\n${" ".repeat(size)}`, `</${index} ${size}>`],
    [`${head}${expect}Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(size)}0\r\n${trailers}\r\n`, `</${index} ${size}>`],
  ])
}

/** Sends a text in pieces, and returns all that is between `<` and `>` in the answers when there are `count` of them. */
async function answersTo(port: number, pieces: readonly string[], count: number): Promise<readonly string[]> {
  const socket = connect(port, "127.0.0.1")
  socket.setEncoding("latin1")
  let received = ""
  const answers = () => received.match(/<[^<>]*>/g) ?? []
  const isDone = new Promise<void>((resolve) => {
    socket.on("data", (text: string) => {
      received += text
      if (answers().length >= count) resolve()
    })
    socket.on("close", () => resolve())
  })
  await once(socket, "connect")
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, "latin1", resolve))
  await isDone
  socket.destroy()
  return answers()
}

const cut = (random: Random, text: string, size: number): readonly string[] => {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += (pieces.at(-1) as string).length)
    pieces.push(text.slice(at, at + 1 + random.below(size)))
  return pieces
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("requests are parsed alike wherever the parser stops (%i)", async (seed) => {
  const random = new Random(seed)
  await using server = await listening(randomPace(random), () => random.below(2) === 0)
  const requests = Array.from({ length: 60 }, (_, i) => request(random, i))
  const text = requests.map(([sent]) => sent).join("")
  const got = await answersTo(server.port, cut(random, text, random.pick([200, 100_000])), requests.length)
  expect(got).toEqual(requests.map(([, answer]) => answer))
})

test("what follows a request for a WebSocket is left to it, also if it was read before the parser stopped", async () => {
  const random = new Random(1)
  await using server = await listening(randomPace(random), () => true)
  const [before, answer] = ["GET /before HTTP/1.1\r\nHost: localhost\r\n\r\n", "</before 0>"]
  const upgrade = "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
  const frames = "frame ".repeat(2000)
  expect(await answersTo(server.port, [before + upgrade + frames], 2)).toEqual([answer, `</socket ${frames}>`])
})

test("a turn of the event loop is used up by some slices, however much was read at once", async () => {
  let [inTurn, most, turns] = [0, 0, 0]
  const pace: ParsingPace = {
    get isTurnOver() {
      return inTurn >= 3
    },
    run(parse) {
      most = Math.max(most, ++inTurn)
      parse()
    },
    wait(callback) {
      turns++
      setImmediate(() => {
        inTurn = 0
        callback()
      })
    },
  }
  await using server = await listening(pace, ({ headers }) => headers["transfer-encoding"] !== undefined)
  const head = "POST /chunks HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
  const got = await answersTo(server.port, [`${head}${"1\r\n \r\n".repeat(20_000)}0\r\n\r\n`], 1)
  expect(got).toEqual(["</chunks 20000>"])
  // 120 KB are some 30 slices of 4 KiB.
  expect(most).toBe(3)
  expect(turns).toBeGreaterThanOrEqual(8)
})
