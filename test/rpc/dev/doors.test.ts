import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { printJson } from "../../../src/core/lib/json.js"
import { silentLog } from "../../../src/core/lib/log.js"
import { identityText } from "../../../src/core/networks/chainIdentity.js"
import { openStore } from "../../../src/datadir/openStore.js"
import { chainDir } from "../../../src/datadir/places.js"
import { openCopy } from "../../../src/datadir/storedChain.js"
import { newChainID } from "../../../src/datadir/storedIdentity.js"
import { devOf } from "../../../src/producer/dev.fixture.js"
import { devMethods } from "../../../src/producer/methods/index.js"
import { startPrivateChain, startPrivateNode } from "../../../src/sources/private/privateNode.js"
import { startServing } from "../../../src/sources/served/serve.js"
import { START, startDevNode } from "./fixture.js"

/** Each method with parameters that it would take. */
const calls = devMethods.map(({ name, examples }) => ({ name, params: examples[0]?.params ?? {} }))

const stops: (() => Promise<void>)[] = []
const folder = mkdtempSync(join(tmpdir(), "serac-doors-"))
afterAll(async () => {
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true })
})

const common = {
  dialect: "contract",
  isPublic: false,
  http: { port: 0 },
  log: silentLog,
  wall: () => Number(START) * 1000,
} as const

async function opened(changes: Parameters<typeof startDevNode>[1] = {}, dialect: "contract" | "avalanchego" = "contract") {
  const node = await startDevNode(dialect, changes)
  stops.push(() => node.stop())
  return { url: node.chain.listening!.url, status: () => devOf(node.chain).status() }
}

async function send(
  url: string,
  { name, params }: (typeof calls)[number],
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = printJson({ jsonrpc: "2.0", id: 1, method: name, params })
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
}

/** The status of the answer to every method. */
async function statusesAt(url: string, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses: number[] = []
  for (const call of calls) {
    const response = await send(`${url}/ext/dev`, call, headers)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

const all = (status: number) => calls.map(() => status)

test("a public node has no method of dev, in either dialect", async () => {
  for (const dialect of ["contract", "avalanchego"] as const) {
    const { url, status } = await opened({ isPublic: true }, dialect)
    const before = status()
    expect(await statusesAt(url)).toEqual(all(404))
    expect(status()).toEqual(before)
  }
})

describe("an origin", () => {
  test("that is foreign may call no method, and nothing happens", async () => {
    const { url, status } = await opened()
    const before = status()
    for (const origin of [
      "https://evil.example",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "null",
      "localhost",
    ]) {
      expect([origin, await statusesAt(url, { origin })]).toEqual([origin, all(403)])
    }
    const preflight = { origin: "https://evil.example", "access-control-request-method": "POST" }
    const answer = await fetch(`${url}/ext/dev`, { method: "OPTIONS", headers: preflight })
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null])
    expect(status()).toEqual(before)
  })

  test("of this machine may call, and so may one that is named, but not one that only `*` lets in elsewhere", async () => {
    const { url } = await opened({ http: { port: 0, allowedOrigins: ["https://dapp.example", "https://*.dapp.example", "*"] } })
    const statusFor = async (origin: string) => (await send(`${url}/ext/dev`, calls[0]!, { origin })).status
    const mine = ["http://localhost:3000", "http://127.0.0.1", "http://127.1.2.3:5173", "http://[::1]:8080", "https://localhost"]
    for (const origin of [...mine, "https://dapp.example", "https://a.dapp.example"]) {
      expect([origin, await statusFor(origin)]).toEqual([origin, 200])
    }
    expect(await statusFor("https://evil.example")).toBe(403)
    // The other interfaces accept `*`, which means every origin.
    const height = { name: "platform.getHeight", params: {} } as never
    expect((await send(`${url}/ext/bc/P`, height, { origin: "https://evil.example" })).status).toBe(200)
  })
})

test("a served chain has no method of dev", async () => {
  const dataDir = join(folder, "local")
  await (await startPrivateNode({ ...common, dataDir, choice: { now: START } })).stop()
  const served = await startServing({ ...common, dataDir })
  stops.push(() => served.stop())
  expect(await statusesAt(served.listening!.url)).toEqual(all(404))
})

describe.each([
  [1, "mainnet"],
  [5, "fuji"],
])("network %i", (networkID, network) => {
  const refused = { code: "node.production", data: { network } }

  /** Makes a store that names this network. */
  function storeIn(dataDir: string) {
    const store = openStore(chainDir(dataDir))
    openCopy(store, { now: START })
    store.putMeta({ networkID, identity: identityText({ kind: "private", id: newChainID() }) })
    return store
  }

  test("starts no private chain, also not on its data directory", async () => {
    const options = { ...common, choice: { networkID, now: START } }
    await expect(startPrivateNode(options)).rejects.toMatchObject(refused)
    const store = storeIn(join(folder, network))
    await expect(startPrivateChain(store, { ...common, choice: { now: START } })).rejects.toMatchObject(refused)
  })

  test("has no method of dev where it is served", async () => {
    const dataDir = join(folder, `${network}-served`)
    await storeIn(dataDir).close()
    const served = await startServing({ ...common, dataDir, networkID })
    stops.push(() => served.stop())
    expect(await statusesAt(served.listening!.url)).toEqual(all(404))
  })
})

test("every other path answers with the path of dev, and paths below it do not exist", async () => {
  const { url } = await opened()
  for (const call of calls) {
    const { error } = (await (await send(`${url}/ext/bc/P`, call)).json()) as { error: { code: number; data: object } }
    expect(error).toMatchObject({ code: -32601, data: { code: "rpc.unknown_method", method: call.name, servedAt: "/ext/dev" } })
  }
  expect((await send(`${url}/ext/dev/status`, calls[0]!)).status).toBe(404)
  expect((await fetch(`${url}/ext/dev`)).status).toBe(405)
})
