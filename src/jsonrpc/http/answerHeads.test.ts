import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { AnswerHeads, type UnsentHead } from "./answerHeads.js"

const headers = ["Content-Type", "application/json", "Date", "Thu, 01 Jan 1970 00:00:10 GMT"]
const common = ["Node-Id", "NodeID-1"]

function open(isKeptAlive = true): ServerResponse & UnsentHead {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.shouldKeepAlive = isKeptAlive
  return response as ServerResponse & UnsentHead
}

/** The head as Node prints it. */
function plain(status: number, length: number, more: readonly string[] = headers): string | null {
  const response = open()
  response.writeHead(status, [...more, ...common, "Content-Length", String(length)])
  return response._header
}

/** The head as `heads` writes it, and whether Node printed it. */
function written(heads: AnswerHeads, length: number, { status = 200, list = headers, response = open() } = {}) {
  let isPrinted = false
  const { writeHead } = response
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    isPrinted = true
    return writeHead.apply(response, given)
  }) as typeof writeHead
  heads.write(response, { status, headers: list, common, length })
  return { text: response._header, isPrinted }
}

test("an answer with the same headers gets the text of the last one with its own length", () => {
  const heads = new AnswerHeads(() => 10_500)
  expect(written(heads, 7)).toEqual({ text: plain(200, 7), isPrinted: true })
  expect(written(heads, 1234)).toEqual({ text: plain(200, 1234), isPrinted: false })
  expect(written(heads, 7)).toEqual({ text: plain(200, 7), isPrinted: false })
})

test("a head with other headers or another status is printed again", () => {
  const heads = new AnswerHeads(() => 10_500)
  written(heads, 7)
  const other = [...headers, "Serac-Height", "5"]
  expect(written(heads, 7, { list: other })).toEqual({ text: plain(200, 7, other), isPrinted: true })
  expect(written(heads, 7, { list: other, status: 404 })).toEqual({ text: plain(404, 7, other), isPrinted: true })
  expect(written(heads, 8, { list: other, status: 404 }).isPrinted).toBe(false)
})

test("the text of another second is not used", () => {
  let now = 10_999
  const heads = new AnswerHeads(() => now)
  written(heads, 7)
  now = 11_000
  // The headers still have the date of the second before, so the text is of no use for the next answer either.
  expect(written(heads, 7).isPrinted).toBe(true)
  expect(written(heads, 7).isPrinted).toBe(true)
})

test("a connection that the client wants closed has a head of its own", () => {
  const heads = new AnswerHeads(() => 10_500)
  written(heads, 7)
  const closed = written(heads, 7, { response: open(false) })
  expect(closed).toEqual({ text: plain(200, 7)?.replace("keep-alive", "close"), isPrinted: true })
  expect(written(heads, 7).isPrinted).toBe(true)
})
