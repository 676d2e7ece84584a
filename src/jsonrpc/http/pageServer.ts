import type { IncomingMessage, ServerResponse } from "node:http"
import { type ListenAddress, Listener } from "./connection/listener.js"
import type { HttpOptions } from "./options.js"
import { hostCheck } from "./request/hosts.js"
import { targetOf } from "./request/path.js"
import { errorText } from "./response/send.js"
import type { PageResponse, Routes } from "./route/routes.js"

/** Serves pages to GET and HEAD at a port of their own, such as metrics that must not be public. It has no calls, streams or limits. */
export class PageServer {
  readonly #listener: Listener
  readonly #routes: Routes
  readonly #isAllowedHost: (host: string | undefined) => boolean

  constructor(routes: Routes, options: HttpOptions) {
    this.#routes = routes
    this.#isAllowedHost = hostCheck(options.allowedHosts)
    this.#listener = new Listener(options, {
      onConnection: () => {},
      onRequest: (request, response) => this.#onRequest(request, response),
      onUpgrade: (_request, socket) => socket.destroy(),
      onMalformed: (_error, socket) => socket.destroy(),
    })
  }

  /** Listens at the address. Throws the system's error if the address is not available. */
  listen(): Promise<ListenAddress> {
    return this.#listener.listen()
  }

  close(): Promise<void> {
    return this.#listener.close()
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    Promise.resolve(this.#answerTo(request)).then(
      ({ status, headers, body }) => {
        response.writeHead(status, [...headers])
        response.end(Buffer.concat(body))
      },
      () => response.destroy(),
    )
  }

  #answerTo({ url = "", method = "", headers }: IncomingMessage): PageResponse {
    if (!this.#isAllowedHost(headers.host)) return errorText(403, "invalid host specified")
    const target = targetOf(url)
    const route = target && this.#routes.get(target.path)
    if (!target || !route || route.kind === "events" || route.kind === "body") return errorText(404, "404 page not found")
    if (method !== "GET" && method !== "HEAD") return errorText(405, "GET method required")
    if (route.kind === "page") return route.answer(method, target.query, "")
    return route.get ? route.get(target.query) : errorText(404, "404 page not found")
  }
}
