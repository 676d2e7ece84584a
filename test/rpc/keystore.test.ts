import { afterEach, describe, expect, test } from "vitest"
import { sha256 } from "../../src/core/crypto/hash.js"
import { concatBytes, toHex, utf8 } from "../../src/core/lib/bytes.js"
import type { Json } from "../../src/core/lib/json.js"
import { Keystore } from "../../src/keystore/keystore.js"
import { keystoreMethods } from "../../src/keystore/methods/index.js"
import { argon2id, type PasswordHasher } from "../../src/keystore/passwordHash.js"
import { keystoreTables } from "../../src/keystore/tables.js"
import type { NodeApiOptions } from "../../src/node/api.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { exchange, localApi, post, serve, type TestServer } from "../fixtures/api.js"
import { readRecording } from "../recordings/recordings.js"

const GOOD = "Fuji-Test-1234"
const VECTOR =
  "0x0000d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f000102030405060708090a0b0c0d0e0f00000000f2f2aa3e"

/** A hash that takes no time, for tests without a real export. */
const quick: PasswordHasher = async (password, salt) => sha256(concatBytes(utf8(password), salt))

/** The real hash, computed once for each password and salt, since the recorded exports repeat them. */
const remembered = new Map<string, Promise<Uint8Array>>()
const real: PasswordHasher = (password, salt) => {
  const key = `${toHex(salt)} ${password}`
  const hash = remembered.get(key) ?? argon2id(password, salt)
  remembered.set(key, hash)
  return hash
}

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

/** A server with an empty keystore. */
async function open(hash: PasswordHasher, changes: Partial<NodeApiOptions> = {}): Promise<TestServer> {
  const keystore = new Keystore(new MemoryStore({ tables: [], tablesBesideChain: keystoreTables }), { hash })
  const server = await serve(localApi({ keystore, ...changes }).api)
  servers.push(server)
  return server
}

interface Answer {
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data: Json }
}

async function ask(server: TestServer, method: string, params: Json): Promise<Answer> {
  const { status, body } = await post(server, "/ext/keystore", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
  expect(status).toBe(200)
  const { result, error } = JSON.parse(body)
  return error === undefined ? { result } : { error }
}

describe("the contract's dialect", () => {
  test.each(keystoreMethods)("the examples of $name are true where bob is the only user", async ({ name, examples }) => {
    for (const { params, result } of examples) {
      const server = await open(real)
      await ask(server, "keystore.importUser", { username: "bob", password: GOOD, user: VECTOR })
      expect(await ask(server, name, params)).toEqual({ result })
    }
  })

  test("a user's whole life, in every encoding", async () => {
    const server = await open(quick)
    expect(await ask(server, "keystore.createUser", { username: "bob", password: "Password1!" })).toEqual({ result: {} })
    for (const [encoding, digits] of [
      ["hex", 116],
      ["HexC", 116],
      ["hexnc", 108],
    ] as const) {
      const { result } = await ask(server, "keystore.exportUser", { username: "bob", password: "Password1!", encoding })
      const { user, encoding: used } = result as { user: string; encoding: string }
      expect([used, user.length]).toEqual([encoding.toLowerCase(), 2 + digits])
      const copy = { username: encoding, password: "Password1!", user, encoding }
      expect(await ask(server, "keystore.importUser", copy)).toEqual({ result: {} })
    }
    expect(await ask(server, "keystore.deleteUser", { username: "bob", password: "Password1!" })).toEqual({ result: {} })
    expect(await ask(server, "keystore.listUsers", {})).toEqual({ result: { users: ["HexC", "hex", "hexnc"] } })
  })

  test("a node without a keystore refuses with a reason", async () => {
    const server = await open(quick, { keystore: undefined })
    expect((await ask(server, "keystore.listUsers", {})).error).toEqual({
      code: -32000,
      message: "this node has no keystore",
      data: { code: "keystore.unavailable" },
    })
  })

  test("a public server refuses every method of the keystore", async () => {
    const server = await open(quick, { isPublic: true })
    for (const { name } of keystoreMethods) {
      const { status, body } = await post(
        server,
        "/ext/keystore",
        JSON.stringify({ jsonrpc: "2.0", id: 7, method: name, params: 5 }),
      )
      expect([name, status, JSON.parse(body).error.code, JSON.parse(body).id]).toEqual([name, 404, -32601, 7])
    }
    const strict = await open(quick, { isPublic: true, dialect: "avalanchego" })
    const { status } = await post(strict, "/ext/keystore", '{"jsonrpc":"2.0","id":1,"method":"keystore.listUsers"}')
    expect(status).toBe(404)
  })
})

interface RecordedFile {
  readonly sequences: readonly { readonly name: string; readonly exchanges: readonly RecordedExchange[] }[]
  readonly exports: readonly {
    readonly username: string
    readonly password: string
    readonly encoding: string
    readonly user: string
    readonly pairs: number
  }[]
}

interface RecordedExchange {
  readonly label: string
  readonly request: { readonly contentType: string | null; readonly body?: string; readonly bodyBase64?: string }
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly fresh?: boolean
}

const FILE = "golden/keystore-v1.12.1.json"

describe("as AvalancheGo v1.12.1 was recorded", () => {
  const { sequences, exports } = readRecording<RecordedFile>(FILE)

  test.each(sequences)("$name", async ({ exchanges }) => {
    // Real hashes are needed only for real exports.
    const hash = exchanges.some(({ request }) => request.body?.includes('"user":"0x')) ? real : quick
    const server = await open(hash, { dialect: "avalanchego" })
    for (const recorded of exchanges) {
      const got = await replayed(server, recorded)
      expect({ label: recorded.label, ...got }).toEqual({ label: recorded.label, ...expectedOf(recorded) })
    }
  })

  test.each(exports)(
    "the export of $username imports with its password and no other",
    async ({ username, password, user, encoding }) => {
      for (const dialect of ["contract", "avalanchego"] as const) {
        const server = await open(real, { dialect })
        const { error } = await ask(server, "keystore.importUser", { username, password: `${password}x`, user, encoding })
        expect(error?.code).toBe(-32000)
        expect(await ask(server, "keystore.listUsers", {})).toEqual({ result: { users: [] } })
        expect(await ask(server, "keystore.importUser", { username, password, user, encoding })).toEqual({ result: {} })
        expect(await ask(server, "keystore.exportUser", { username, password })).toEqual({ result: { user, encoding } })
      }
    },
  )
})

interface ComparableAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

async function replayed(server: TestServer, { request, headers: recorded, fresh }: RecordedExchange): Promise<ComparableAnswer> {
  const { contentType, body = "", bodyBase64 } = request
  const headers = contentType === null ? {} : { "content-type": contentType }
  const bytes = bodyBase64 === undefined ? utf8(body) : Buffer.from(bodyBase64, "base64")
  const answered = await exchange(server, { method: "POST", path: "/ext/keystore", headers }, bytes)
  const named = Object.keys(recorded).map((name) => [name, answered.headers[name]])
  return { status: answered.status, headers: Object.fromEntries(named), body: comparable(answered.body, fresh) }
}

function expectedOf({ status, headers, body, fresh }: RecordedExchange): ComparableAnswer {
  return { status, headers, body: comparable(body, fresh) }
}

/** JSON as values; random members are compared by their form alone. */
function comparable(body: string, isFresh = false): unknown {
  if (!body.startsWith("{")) return body
  const value = JSON.parse(body)
  if (isFresh) value.result.user = value.result.user.replace(/[0-9a-f]/g, "#")
  return value
}
