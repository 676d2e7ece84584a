import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"

/** A simple server of static files. */
export interface StaticServer {
  readonly origin: string
  /** The address of the folder, with a slash at its end. */
  readonly url: string
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".png": "image/png",
}

/** Serves the files of a folder below a path, on a free port. */
export async function serveFolder(folder: string, base: string): Promise<StaticServer> {
  const server = createServer(({ url = "/" }, response) => {
    const path = decodeURIComponent(url.replace(/[?#].*/, ""))
    try {
      const bytes = path.startsWith(base) ? readFileSync(join(folder, path.slice(base.length))) : undefined
      response.writeHead(bytes ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: origin + base,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
