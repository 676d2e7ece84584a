import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { silentLog } from "../../src/core/lib/log.js"
import type { Node } from "../../src/node/node.js"
import { type FollowerNodeOptions, startFollowing } from "../../src/sources/followed/follow.js"
import type { HttpNodeOptions } from "../../src/sync/follow/httpNode.js"

/** A node that follows a chain in a test. */
export interface TestCopy extends Node, AsyncDisposable {
  /** Resolves when the copy has this height. */
  reaches(height: bigint): Promise<void>
}

/** Options of a copy, and of its requests to the nodes that it follows. */
interface CopyOptions extends Partial<FollowerNodeOptions> {
  readonly requests?: HttpNodeOptions
}

/** Starts a copy of the chain at these addresses, in a directory that is removed unless it is given, with other options where these are given. */
export async function startCopy(
  urls: readonly string[],
  given?: string,
  { requests = {}, ...options }: CopyOptions = {},
): Promise<TestCopy> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), "serac-follow-"))
  const node = await startFollowing({
    follow: { urls, http: requests },
    choice: { now: BigInt(Math.floor(Date.now() / 1000)) },
    dataDir,
    dialect: "contract",
    isPublic: false,
    log: silentLog,
    wall: () => Date.now(),
    ...options,
  })
  return {
    ...node,
    reaches: (height) =>
      new Promise((resolve) => {
        const look = () => {
          if (node.height() < height) return
          unsubscribe()
          resolve()
        }
        const unsubscribe = node.api.node.onAccepted(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      await node.stop()
      if (given === undefined) rmSync(dataDir, { recursive: true })
    },
  }
}

/** Decides about a request: the proxy forwards it, or the rule has answered it. */
export type ProxyRule = (request: ProxiedRequest, response: ServerResponse) => "pass" | "done"

/** A request that a proxy received. */
export interface ProxiedRequest {
  readonly path: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** A proxy before a node, which answers some requests itself. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

/** Starts a server that passes requests on to a node, except for those that `rule` answers. */
export async function startTestProxy(target: string, rule: ProxyRule, port = 0): Promise<TestProxy> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (rule({ path: request.url ?? "", body, headers: request.headers }, response) === "done") return
    const headers = { "content-type": "application/json" }
    const init = request.method === "POST" ? { method: "POST", headers, body } : { method: request.method ?? "GET" }
    const answer = await fetch(target + request.url, init).catch(() => undefined)
    if (!answer) return void response.destroy()
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request) text += chunk
  return text
}

/** Answers as AvalancheGo without index does: there is no stream of blocks. */
export const likeAvalancheGo: ProxyRule = ({ path }, response) => {
  if (!path.startsWith("/ext/bc/P/blocks") && !path.startsWith("/ext/index")) return "pass"
  response.writeHead(404).end()
  return "done"
}
