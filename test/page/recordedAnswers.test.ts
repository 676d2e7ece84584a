import { afterAll, beforeAll, describe, vi } from "vitest"
import { printJson as printExactly } from "../../src/core/lib/json.js"
import { parseJson, post, printJson } from "../../src/page/data/rpc.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { localApi, serve, type TestServer } from "../fixtures/api.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"
import { recordedAnswersContract } from "../fixtures/recordedAnswers.js"
import { type TestAnswer, testNode } from "../fixtures/rpcNode.js"

describe.each(goldenChains)("the data of the page on %s", (folder) => {
  const { store, rules, genesis } = goldenTip(folder)
  const { node } = testNode({ store, rules, genesis, methods: platformMethods })
  const { fetch } = globalThis
  let server: TestServer

  beforeAll(async () => {
    server = await serve(localApi({ dialect: "avalanchego", rules, node, snapshot: () => store.view() }).api)
    // A browser completes the path with the origin of the page.
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => fetch(server.url + path, init))
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    await server[Symbol.asyncDispose]()
  })

  recordedAnswersContract(
    folder,
    async (method, params) => parseJson(await post("/ext/bc/P", printJson({ jsonrpc: "2.0", id: 1, method, params }))) as object,
    // Node 20 and older browsers round integers above 2^53.
    (body) => parseJson(printExactly({ ...body })) as TestAnswer,
  )
})
