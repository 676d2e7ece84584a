import { Agent, request } from "node:http"
import { serviceList } from "../../../src/client/services.js"
import { type Json, printJson } from "../../../src/core/lib/json.js"
import { silentLog } from "../../../src/core/lib/log.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import type { Dialect } from "../../../src/jsonrpc/schema/param.js"
import { type PrivateNodeOptions, startPrivateNode } from "../../../src/sources/private/privateNode.js"
import { START, schedule } from "./when.js"

/** An answer without its envelope. */
export interface Answer {
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data: Json }
}

/** A running node of a private chain that is called over HTTP. Its clock is frozen, and by default its IDs repeat. */
export type RunningNode = Awaited<ReturnType<typeof startRunningNode>>

export async function startRunningNode(dialect: Dialect, changes: Partial<PrivateNodeOptions> = {}) {
  const chain = await startPrivateNode({
    choice: { now: START, upgrades: schedule },
    dialect,
    isPublic: false,
    http: { port: 0 },
    producer: { startTime: START, isFrozen: true },
    log: silentLog,
    wall: () => Number(START) * 1000,
    ...changes,
  })
  const agent = new Agent({ keepAlive: true })
  const { url } = chain.listening!

  /** Calls a method with `params` unchanged, or without params if they are `undefined`. */
  async function ask(method: string, params?: Json): Promise<Answer> {
    const text = await post(method, params)
    if (reused.has(method)) await requireSame(text, method, params)
    const { jsonrpc, id, ...answer } = parseJson(text) as { jsonrpc: Json; id: Json }
    if (jsonrpc !== "2.0" || id !== 1) throw new Error(`${method}: not the answer to this call`)
    return answer as Answer
  }

  /** Repeats a call until its answer comes from the cache, and compares the answers. */
  async function requireSame(text: string, method: string, params: Json | undefined): Promise<void> {
    for (let i = 0; i < 2; i++) {
      const again = await post(method, params)
      if (again !== text) throw new Error(`${method}: ${again} is not ${text}`)
    }
  }

  function post(method: string, params: Json | undefined): Promise<string> {
    const body = printJson({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) })
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const sent = request(url + pathOf(method), { method: "POST", agent, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => {
          text += chunk
        })
        response.on("error", reject)
        response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`${method}: ${text}`))))
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }

  /** The result of a call that must not fail. */
  async function call<T = Json>(method: string, params?: Json): Promise<T> {
    const { result, error } = await ask(method, params)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as T
  }

  return {
    chain,
    ask,
    call,
    async stop() {
      agent.destroy()
      await chain.stop()
    },
  }
}

/** The names of the methods whose answers are sent again. */
const reused = new Set(
  serviceList.flatMap(({ methods }) => methods.filter(({ lifetime }) => lifetime !== undefined).map(({ name }) => name)),
)

function pathOf(method: string): string {
  const service = method.slice(0, method.indexOf("."))
  const found = serviceList.find((each) => each.name === service)
  return found?.paths[0] ?? "/ext/bc/P"
}
