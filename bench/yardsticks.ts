import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** The size in bytes above which the time of an answer is mostly that of sending it. */
const LARGE = 4096

/** A minimal server on node:http for answers of some size. */
export interface Yardstick {
  readonly name: string
  readonly port: number
  close(): void
}

/** Serves a fixed JSON text, or a buffer of the same size for larger answers. */
export async function yardstick(size: number): Promise<Yardstick> {
  const server = size > LARGE ? readyServer(size) : echoServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    name: size > LARGE ? `a ready ${Math.round(size / 1024)} KiB` : "the echo",
    port: (server.address() as AddressInfo).port,
    close: () => server.close(),
  }
}

/** A server that reads a body, parses it and prints an answer, as every JSON-RPC server on node:http must. */
function echoServer(): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number }
      const body = JSON.stringify({ jsonrpc: "2.0", result: { height: "36" }, id })
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
      response.end(body)
    })
  })
}

/** A server that sends a prepared buffer. */
function readyServer(size: number): Server {
  const body = Buffer.alloc(size, "x")
  return createServer((request, response) => {
    request.on("data", () => {})
    request.on("end", () => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": size })
      response.end(body)
    })
  })
}
