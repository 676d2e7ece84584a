import { Invalid } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import { mcpError } from "./errors.js"
import { errorLine, isObject, type JsonObject, readMessage, resultLine } from "./message.js"

/** A tool of an assistant. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  /** True if the tool only reads. */
  readonly isReadOnly: boolean
  /** False if the tool can be called but is not in the list, which an assistant reads whole. */
  readonly isListed: boolean
  /** Runs the tool and returns its answer. Throws `Invalid` for arguments that an assistant can mend. */
  run(given: JsonObject): Promise<string>
}

/** A document that an assistant can read. */
export interface Page {
  readonly uri: string
  readonly title: string
  text(): string
}

export interface McpServerOptions {
  readonly version: string
  /** What an assistant should know before it uses the tools. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  readonly pages: readonly Page[]
  /** Reports an error inside Serac. */
  onFault(error: unknown): void
}

/** The version in which every request names its version. */
const PRESENT_VERSION = "2026-07-28"
/** The versions in which a client first calls `initialize`, newest first. */
const EARLIER_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
const SERVER_KEY = "io.modelcontextprotocol/serverInfo"

/** What a result says about caching. Tools and pages do not change while the server runs. */
const CACHING = { ttlMs: 3_600_000, cacheScope: "public" }

type Handler = (params: JsonObject) => JsonObject | Promise<JsonObject>

/**
 * A server of the Model Context Protocol over lines. It answers clients of the version 2026-07-28, which state their version in each request,
 * and those of earlier versions, which call `initialize` first.
 */
export class McpServer {
  readonly #options: McpServerOptions
  readonly #handlers: ReadonlyMap<string, Handler>
  /** The requests that are being answered. */
  readonly #open = new Map<string | number, { isCancelled: boolean }>()
  #isInitialized = false

  constructor(options: McpServerOptions) {
    this.#options = options
    const { tools, pages } = options
    const listed = tools.filter(({ isListed }) => isListed).map(toolJson)
    const resources = pages.map(({ uri, title }) => ({
      uri,
      name: uri.slice(uri.lastIndexOf("/") + 1),
      title,
      mimeType: MARKDOWN,
    }))
    this.#handlers = new Map<string, Handler>([
      ["server/discover", () => ({ supportedVersions: [PRESENT_VERSION, ...EARLIER_VERSIONS], ...this.#about })],
      ["initialize", (params) => this.#initialize(params)],
      ["ping", () => ({})],
      ["tools/list", (params) => onePage(params, { tools: listed })],
      ["tools/call", (params) => callTool(params, tools)],
      ["resources/list", (params) => onePage(params, { resources })],
      ["resources/templates/list", (params) => onePage(params, { resourceTemplates: [] })],
      ["resources/read", (params) => readPage(params, pages)],
    ])
  }

  /** Answers a line with a line. A notification and a cancelled request have no answer. */
  async answer(line: string): Promise<string | undefined> {
    const message = readMessage(line)
    if ("refusal" in message) return errorLine(message.id, message.refusal)
    const { id, method, params } = message
    if (id === undefined) {
      if (method === "notifications/cancelled") this.#cancel(params)
      return undefined
    }
    const request = { isCancelled: false }
    this.#open.set(id, request)
    try {
      const result = await this.#handlerOf(method, params)(params)
      return request.isCancelled
        ? undefined
        : resultLine(id, versionOf(params) === undefined ? result : this.#present(method, result))
    } catch (error) {
      if (!(error instanceof Invalid)) this.#options.onFault(error)
      return request.isCancelled ? undefined : errorLine(id, error)
    } finally {
      this.#open.delete(id)
    }
  }

  /** Adds the members that results have in the present version. Clients of earlier versions may refuse them. */
  #present(method: string, result: JsonObject): JsonObject {
    const caching = method === "tools/call" ? {} : CACHING
    return { resultType: "complete", ...result, ...caching, _meta: { [SERVER_KEY]: this.#serverInfo } }
  }

  get #serverInfo() {
    return { name: "serac", title: "Serac", version: this.#options.version }
  }

  get #about() {
    return { capabilities: { tools: {}, resources: {} }, instructions: this.#options.instructions }
  }

  #initialize({ protocolVersion }: JsonObject): JsonObject {
    this.#isInitialized = true
    const version = EARLIER_VERSIONS.find((each) => each === protocolVersion) ?? (EARLIER_VERSIONS[0] as string)
    return { protocolVersion: version, serverInfo: this.#serverInfo, ...this.#about }
  }

  /** Finds the handler of a request. Throws if the request does not state a version, and none was agreed on before. */
  #handlerOf(method: string, params: JsonObject): Handler {
    const handler = this.#handlers.get(method)
    if (!handler) throw mcpError("mcp.unknown_method", { method })
    const version = versionOf(params)
    if (version === undefined) {
      if (!this.#isInitialized && method !== "initialize" && method !== "ping") throw mcpError("mcp.not_initialized", { method })
    } else if (version !== PRESENT_VERSION) {
      throw mcpError("mcp.unsupported_version", { supported: [PRESENT_VERSION, ...EARLIER_VERSIONS], requested: version })
    } else if (!isObject(metaOf(params)[CAPABILITIES_KEY])) {
      throw mcpError("mcp.not_initialized", { missing: CAPABILITIES_KEY })
    }
    return handler
  }

  /** The work of a cancelled request goes on, because a chain finishes what it has begun; only its answer is not sent. */
  #cancel({ requestId }: JsonObject): void {
    const request = this.#open.get(requestId as string | number)
    if (request) request.isCancelled = true
  }
}

const metaOf = ({ _meta: meta }: JsonObject): JsonObject => (isObject(meta) ? meta : {})

/** The version that a request states; `undefined` if it states none, as in earlier versions. */
const versionOf = (params: JsonObject): Json | undefined => metaOf(params)[VERSION_KEY]

const MARKDOWN = "text/markdown"

function toolJson({ name, description, inputSchema, isReadOnly }: Tool): Json {
  return { name, description, inputSchema, annotations: { readOnlyHint: isReadOnly } }
}

function onePage({ cursor }: JsonObject, list: JsonObject): JsonObject {
  if (cursor !== undefined) throw mcpError("mcp.bad_cursor", { cursor })
  return list
}

/** Runs a tool. A refusal of its arguments is a result, so that the assistant reads it and can try again. */
async function callTool({ name, arguments: given = {} }: JsonObject, tools: readonly Tool[]): Promise<JsonObject> {
  const tool = tools.find((each) => each.name === name)
  if (!tool) throw mcpError("mcp.unknown_tool", { tool: name })
  if (!isObject(given)) throw mcpError("mcp.bad_params", { param: "arguments", expected: "an object" })
  try {
    return { content: [{ type: "text", text: await tool.run(given) }], isError: false }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { content: [{ type: "text", text: `${error.code}: ${error.message}` }], isError: true }
  }
}

function readPage({ uri }: JsonObject, pages: readonly Page[]): JsonObject {
  const page = pages.find((each) => each.uri === uri)
  if (!page) throw mcpError("mcp.unknown_resource", { uri })
  return { contents: [{ uri: page.uri, mimeType: MARKDOWN, text: page.text() }] }
}
