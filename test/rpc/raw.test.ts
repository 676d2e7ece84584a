import type { RequestOptions } from "node:http"
import { describe, expect, test } from "vitest"
import { Diff } from "../../src/core/state/diff.js"
import { tables } from "../../src/core/state/tables.js"
import { exchange, JSON_HEADERS, localApi, serve } from "../fixtures/api.js"
import { readRecording } from "../recordings/recordings.js"

interface RawExchange {
  readonly name: string
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

const P = "/ext/bc/P"
const call = (body: string, type?: string): [RequestOptions, string] => [
  { method: "POST", path: P, headers: type === undefined ? JSON_HEADERS : { "content-type": type } },
  body,
]
const getHeight = (more: string) => `{"jsonrpc":"2.0",${more}"method":"platform.getHeight","params":{}}`
const HEIGHT = getHeight('"id":1,')

/** The requests behind the names (golden/README.md). */
const requests: Record<string, [RequestOptions, string]> = {
  GET: [{ method: "GET", path: P }, ""],
  "no content type": call(HEIGHT, ""),
  "text/plain": call(HEIGHT, "text/plain"),
  charset: call(HEIGHT, "application/json;charset=UTF-8"),
  "charset spaced": call(HEIGHT, "application/json; charset=utf-8"),
  "bad json": call('{"jsonrpc":'),
  "empty body": call(""),
  batch: call(`[${HEIGHT},${getHeight('"id":2,')}]`),
  "no id": call(getHeight("")),
  "string id": call(getHeight('"id":"abc",')),
  "null id": call(getHeight('"id":null,')),
  "no params": call('{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'),
  "jsonrpc 1.0": call(HEIGHT.replace("2.0", "1.0")),
  "no jsonrpc": call(HEIGHT.replace('"jsonrpc":"2.0",', "")),
  "unknown param": call(HEIGHT.replace("{}", '{"foo":1}')),
  options: [
    { method: "OPTIONS", path: P, headers: { origin: "http://example.test", "access-control-request-method": "POST" } },
    "",
  ],
}

/** Paths that only Serac has, or whose content differs (golden/README.md, "What differs by nature"). */
const different = ["POST /ext/keystore", "POST /ext/metrics"]

describe.each(["local-v1.13.0", "local-v1.14.2"])("exchanges recorded from %s", (folder) => {
  const name = `golden/${folder}/record.json`
  test("are repeated: status, headers and body", async () => {
    const { raw, height } = readRecording<{ raw: RawExchange[]; height: number }>(name)
    const { api, store } = localApi({ dialect: "avalanchego" })
    const diff = new Diff(store.latest)
    const last = store.latest.get(tables.lastAccepted, null)
    diff.put(tables.lastAccepted, null, { id: last!.id, height: BigInt(height) })
    store.commit(diff.edits)
    await using server = await serve(api)
    for (const recorded of raw.filter((each) => !different.includes(each.name))) {
      const [options, body] = requests[recorded.name] ?? [
        { method: "POST", path: recorded.name.slice(5), headers: JSON_HEADERS },
        "{}",
      ]
      const got = await exchange(server, options, body)
      expect({ name: recorded.name, ...comparable(got) }).toEqual({ name: recorded.name, ...comparable(recorded) })
    }
    expect(raw).toHaveLength(23)
  })
})

/** Removes headers that belong to the recorded node, its time, or its version: v1.13.0 compressed its answers and named this in Vary. */
function comparable({ status, headers, body }: { status: number; headers: object; body: string }) {
  const { date, connection, "node-id": nodeID, ...rest } = headers as Record<string, string>
  return { status, body, headers: { ...rest, vary: rest.vary?.replace("Accept-Encoding, ", "") } }
}
