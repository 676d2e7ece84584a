import { BLOCK_STREAM_PATHS, EVENT_PATHS, services } from "../../../src/client/services.js"
import { type KnownObjects, type NamedParams, strangeParams, usualParams } from "./params.js"
import { type TxName, txNames } from "./txMaker.js"

/** One request that an unknown client may send. */
export interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  /** Returns the body; together they would not fit into memory. */
  body(): string
  /** Number of times that it is sent, one after the other; the default is once. */
  readonly times?: number
  /** Headers in place of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** The number of bytes of a stream after which the client closes it. */
  readonly enough?: number
}

/** Transactions that are to be made and issued: in one call, or each in a call of a batch. */
export interface TxCase {
  readonly name: string
  readonly what: TxName
  /** Bytes of each. */
  readonly size: number
  readonly count: number
}

/** Bytes that a stranger may send over several connections at once, until each of them has its answers or is closed. */
export interface RawCase {
  readonly name: string
  readonly connections: number
  text(): string
  /** Number of answers that each connection gets. */
  readonly answers: number
}

const P = "/ext/bc/P"
const STREAM_PATHS = [...EVENT_PATHS, ...BLOCK_STREAM_PATHS]

/** Bytes of a request for its envelope, and for the usual parameters beside an unusual one. */
const ENVELOPE = 4096
const besides = ({ nodeIDs, addresses }: KnownObjects): number => 64 * (nodeIDs.length + Math.min(addresses.length, 256))

/**
 * Yields every request: each method with its largest and its strangest
 * parameters, alone and in a batch, and each route. `size`: bytes of the largest bodies. Unless it is `thorough`, a batch has a fifth of its
 * hundred calls, and each parameter is strange in one way only, each in another one than the last.
 */
export function* allCases(known: KnownObjects, size: number, thorough: boolean): Iterable<Case> {
  const largest = size - ENVELOPE - besides(known)
  const served = Object.values(services).filter(({ onPublicServer }) => onPublicServer !== "absent")
  for (const { paths, methods } of served) {
    for (const { name, params, examples } of methods) {
      const usual = usualParams(params.inputSchema, examples, known)
      const strange = (bytes: number) => strangeParams(params.inputSchema, usual, known, bytes, thorough)
      yield* methodCases(name, paths[0] as string, usual, strange, { bytes: largest, calls: thorough ? 100 : 20 })
    }
  }
  yield* [...routeCases(), ...bodyCases(largest), ...streamCases(known)]
}

/** Requests that are refused or small, repeated until their cost exceeds any slack (F19). */
export function floods(times: number): readonly Case[] {
  const get = { method: "GET", body: () => "", times }
  const post = { method: "POST", path: P, times }
  return [
    { ...get, name: "unknown paths", path: "/nowhere" },
    { ...get, name: "health", path: "/ext/health/liveness" },
    { ...get, name: "wrong methods", path: P, method: "PUT" },
    { ...get, name: "foreign hosts", path: P, headers: { host: "evil.example" } },
    { ...get, name: "preflights", path: P, method: "OPTIONS", headers: { "access-control-request-method": "POST" } },
    { ...post, name: "wrong content types", body: () => "{}", headers: { "content-type": "text/plain" } },
    { ...post, name: "bad batches", body: () => `[${"{},".repeat(999)}{}]` },
    { ...post, name: "unknown methods", body: () => callText("platform.none", "{}") },
    { ...post, name: "small questions", body: () => callText("platform.getHeight", "{}") },
    { ...post, name: "no JSON, often", body: () => "<" },
  ].map((each) => ({ ...each, name: `${each.name}, ${times} times` }))
}

/** Bodies in the smallest pieces, and requests that are sent without waiting for answers. `size`: bytes of each connection. */
export function rawCases(size: number, connections: number): readonly RawCase[] {
  const chunks = (path: string) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    return () => `${head}${"1\r\n \r\n".repeat(Math.min(60_000, size / 6))}0\r\n\r\n`
  }
  const long = Math.min(8 << 20, 256 * size)
  // The answer to the second request comes when the whole body of the first was received.
  const refused = `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${long}\r\n\r\n`
  const after = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
  const pipelined = (headers: string) => () => `GET /nowhere HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`.repeat(size / 100)
  return [
    { name: "a body in chunks of one byte", connections, text: chunks(P), answers: 1 },
    { name: "such a body where nothing is served", connections, text: chunks("/nowhere"), answers: 1 },
    { name: "a long body where nothing is served", connections, text: () => refused + " ".repeat(long) + after, answers: 2 },
    { name: "requests without waiting", connections, text: pipelined(""), answers: size / 100 },
    {
      name: "upgrades without waiting",
      connections,
      text: pipelined("Connection: Upgrade\r\nUpgrade: h2c\r\n"),
      answers: size / 100,
    },
  ].map((each) => ({ ...each, answers: Math.floor(each.answers), name: `${each.name}, over ${connections} connections` }))
}

/** Every transaction, alone and, smaller, as often as a batch has calls (`times`). */
export function txCases(size: number, times: number): readonly TxCase[] {
  // Two digits for each byte.
  const largest = (size - ENVELOPE) >> 1
  return txNames.flatMap((what) => [
    { name: what, what, size: largest, count: 1 },
    { name: `${what}, ${times} times`, what, size: Math.floor(largest / times) - 400, count: times },
  ])
}

/** The request that issues transactions. */
export function issueRequest(name: string, hexTexts: readonly string[]): Case {
  const calls = hexTexts.map((tx, i) => callText("platform.issueTx", `{"tx":"${tx}"}`, i))
  const body = calls.length === 1 ? (calls[0] as string) : `[${calls.join()}]`
  return { name, method: "POST", path: P, body: () => body }
}

const callText = (method: string, params: string, id = 1): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`

function* methodCases(
  method: string,
  path: string,
  usual: Record<string, unknown>,
  strange: (bytes: number) => Iterable<NamedParams>,
  largest: { readonly bytes: number; readonly calls: number },
): Iterable<Case> {
  const common = { method: "POST", path }
  const asUsual: NamedParams = { what: "as usual", params: () => JSON.stringify(usual) }
  for (const { what, params } of [asUsual, ...strange(largest.bytes)]) {
    yield { ...common, name: `${method}: ${what}`, body: () => callText(method, params()) }
  }
  for (const { what, params } of [asUsual, ...strange(largest.bytes / largest.calls - 100)]) {
    yield { ...common, name: `${method}: ${what}, in a batch`, body: () => `[${batchOf(method, params(), largest).join()}]` }
  }
}

/** The largest batch of calls with these parameters that fits into a body; calls with a height ask for different heights. */
function batchOf(method: string, params: string, largest: { readonly bytes: number; readonly calls: number }): string[] {
  const fitting = Math.floor(largest.bytes / (Buffer.byteLength(callText(method, params)) + 8))
  const count = Math.max(1, Math.min(largest.calls, fitting))
  return Array.from({ length: count }, (_, i) => callText(method, params.replace(/"height":"?\d+"?/, `"height":${i + 1}`), i))
}

function routeCases(): Case[] {
  const paths = [
    ...Object.values(services).flatMap((service) => service.paths),
    ...STREAM_PATHS,
    "/",
    "/ext/metrics",
    "/ext/openrpc.json",
    "/aggregate-signatures",
    "/assets/index.js",
    "/ext/health/health?tag=x",
    "/ext/health/readiness",
    "/ext/health/liveness",
    "/nowhere",
    "//ext//info/../P",
    `/${"x/".repeat(6000)}`,
    `/ext/bc/P?${"a=b&".repeat(3000)}`,
  ]
  return [...new Set(paths)].flatMap((path) =>
    ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"]
      .filter((method) => !(STREAM_PATHS.includes(path) && method === "GET"))
      .map((method) => ({ name: `${method} ${path.slice(0, 60)}`, method, path, body: () => "" })),
  )
}

function streamCases({ height }: KnownObjects): Case[] {
  const froms = [
    "",
    "?from=0",
    `?from=${height - 10}`,
    "?from=99999999999999999999",
    `?from=${"9".repeat(9000)}`,
    "?from=-1",
    "?x=1",
  ]
  return [EVENT_PATHS[0], BLOCK_STREAM_PATHS[0]].flatMap((stream) =>
    froms.map((from) => {
      const path = `${stream}${from}`
      return {
        name: `GET ${path.slice(0, 60)}`,
        method: "GET",
        path,
        body: () => "",
        enough: from === "?from=0" ? height * 1000 : 0,
      }
    }),
  )
}

function bodyCases(largest: number): Case[] {
  const method = (name: string) => `{"jsonrpc":"2.0","id":1,"method":"${name}"}`
  const bodies: readonly (readonly [string, () => string])[] = [
    ["an unknown method of that size", () => method(`platform.${"<".repeat(largest)}`)],
    ["an id of that size", () => `{"jsonrpc":"2.0","id":"${"<".repeat(largest)}","method":"platform.getHeight"}`],
    ["a hundred ids", () => `[${Array(100).fill(`{"jsonrpc":"2.0","id":"${"<".repeat(largest / 100 - 99)}","method":"x"}`)}]`],
    ["a batch of that size", () => `[${"{},".repeat(largest / 3)}{}]`],
    ["a hundred unknown methods", () => `[${Array(100).fill(method("<".repeat(largest / 100 - 99)))}]`],
    ["a hundred descriptions", () => `[${Array(100).fill(method("rpc.discover"))}]`],
    ["a description", () => method("rpc.discover")],
    ["no JSON", () => "<".repeat(largest)],
    ["white space", () => " ".repeat(largest)],
    ["lists in lists", () => "[".repeat(largest)],
    ["objects in objects", () => '{"a":'.repeat(largest / 5)],
    ["a text that does not end", () => `"${"\\u0041".repeat(largest / 6)}`],
    ["parameters in lists in lists", () => callText("platform.getTx", `{"txID":${"[".repeat(9000)}${"]".repeat(9000)}}`)],
    ["a parameter over and over", () => callText("platform.getTx", `{${'"txID":1,'.repeat(largest / 9)}"a":1}`)],
    ["a parameter's name of that size", () => callText("platform.getTx", `{"${"<".repeat(largest)}":1}`)],
  ]
  return bodies.map(([name, body]) => ({ name, method: "POST", path: P, body }))
}
