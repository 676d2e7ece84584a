import { bodyChunks } from "../../../core/lib/bodyChunks.js"
import { errorText, type HttpResponse } from "../response/send.js"
import type { BodyRequest, BodyRoute, ConnectRequest, Tunnel } from "./bodyRoute.js"

/** The maximum size of a forwarded answer, bytes, and its timeout, milliseconds. */
const MAX_ANSWER = 64 << 20
const TIMEOUT = 30_000

/** Milliseconds that forwarding a request takes, and for each piece and each byte of its answer, at most. */
const FORWARD_MILLISECONDS = 2
const PIECE_MILLISECONDS = 0.05
const BYTE_MILLISECONDS = 4 / (1 << 20)

/** The part of a request that decides its target. */
type TargetParts = Pick<ConnectRequest, "subpath" | "query">

/** Forwards requests to one node only. A request chooses only the path below the node's own. */
export function proxyRoute(base: URL): BodyRoute {
  return {
    kind: "body",
    isPrivileged: false,
    methods: ["GET", "POST"],
    async answer({ method, subpath, query, contentType, origin, body, reserve }) {
      const signal = AbortSignal.timeout(TIMEOUT)
      try {
        const answer = await fetch(targetOf(base, { subpath, query }), {
          method,
          redirect: "manual",
          signal,
          headers: {
            ...(contentType === undefined ? {} : { "content-type": contentType }),
            ...(origin === undefined ? {} : { origin }),
          },
          ...(method === "POST" ? { body: Buffer.from(body) } : {}),
        })
        return await passedOn(answer, { base, signal, reserve })
      } catch (error) {
        return unreachable(base, error)
      }
    },
    connect: (asked) => openTunnel(base, asked),
  }
}

/**
 * Returns the address of a request at the other node: the node's path, then the path below the route. A node without a path of its own, such as Anvil,
 * answers calls at its root, so `/rpc` and `/ws` are omitted for it.
 */
function targetOf(base: URL, { subpath, query }: TargetParts): URL {
  const target = new URL(base)
  const isBare = base.pathname === "/"
  const below = isBare && (subpath === "/rpc" || subpath === "/ws") ? "/" : subpath
  // The path was decoded once. What still looks encoded is part of a name, and a backslash is none of the separators.
  target.pathname = `${base.pathname.replace(/\/$/, "")}${encodeURI(below).replace(/[?#]/g, encodeURIComponent)}`
  target.search = query
  return target
}

/** Parts with which the answer of the other node is read. */
interface ForwardOptions extends Pick<BodyRequest, "reserve"> {
  readonly base: URL
  readonly signal: AbortSignal
}

/** Returns the answer of the other node: its status, content type and body. */
async function passedOn(answer: Response, { base, signal, reserve }: ForwardOptions): Promise<HttpResponse> {
  const pieces: Uint8Array[] = []
  let size = 0
  const milliseconds = () => FORWARD_MILLISECONDS + pieces.length * PIECE_MILLISECONDS + size * BYTE_MILLISECONDS
  const refusal = (status: number, text: string) => ({ ...errorText(status, text), milliseconds: milliseconds() })
  if (answer.status >= 300 && answer.status < 400) return refusal(502, `${base.origin} answers with a redirect`)
  for await (const piece of bodyChunks(answer.body, signal)) {
    size += piece.length
    if (size > MAX_ANSWER) return refusal(502, `${base.origin} answers with more than ${MAX_ANSWER} bytes`)
    if (!reserve(piece.length)) return refusal(503, "too many bytes of answers wait to be read")
    pieces.push(piece)
  }
  const type = answer.headers.get("content-type")
  const headers = type === null ? [] : ["Content-Type", type]
  return { status: answer.status, headers, body: pieces, milliseconds: milliseconds() }
}

/** Opens a WebSocket at the other node. */
function openTunnel(base: URL, { subpath, query, origin, handshake }: ConnectRequest): Promise<Tunnel | HttpResponse> {
  const { request } = process.getBuiltinModule(base.protocol === "https:" ? "node:https" : "node:http")
  const headers = { ...handshake, ...(origin === undefined ? {} : { origin }), connection: "Upgrade", upgrade: "websocket" }
  return new Promise((resolve) => {
    const asked = request(targetOf(base, { subpath, query }), { headers, timeout: TIMEOUT })
    asked.on("upgrade", (answer, stream, head) => {
      stream.setTimeout(0)
      resolve({ headers: answer.rawHeaders, stream, head })
    })
    asked.on("response", (answer) => {
      answer.resume()
      resolve(errorText(502, `${base.origin} opens no WebSocket: it answers with ${answer.statusCode}`))
    })
    asked.on("timeout", () => asked.destroy(new Error("it does not answer in time")))
    asked.on("error", (error) => resolve(unreachable(base, error)))
    asked.end()
  })
}

function unreachable({ origin }: URL, error: unknown): HttpResponse {
  const { cause, message } = error as Error & { cause?: { message?: string } }
  const refusal = errorText(502, `${origin} cannot be reached: ${cause?.message || message}`)
  return { ...refusal, milliseconds: FORWARD_MILLISECONDS }
}
