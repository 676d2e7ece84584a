import { afterAll, beforeAll, describe } from "vitest"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import type { Node } from "../../src/node/node.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { localApi, post, serve, type TestServer } from "../fixtures/api.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"
import { recordedAnswersContract } from "../fixtures/recordedAnswers.js"
import { testNode } from "../fixtures/rpcNode.js"
import { serveGolden } from "../fixtures/servedGolden.js"

describe.each(goldenChains)("%s", (folder) => {
  const { store, rules, genesis } = goldenTip(folder)
  const node = testNode({ store, rules, genesis, methods: platformMethods })

  describe("the methods by themselves", () => {
    recordedAnswersContract(folder, (method, params) => node.call(method, params))
  })

  describe("an HTTP server", () => {
    let server: TestServer
    beforeAll(async () => {
      const options = { dialect: "avalanchego", rules, node: node.node, snapshot: () => store.view() } as const
      server = await serve(localApi(options).api)
    })
    afterAll(() => server[Symbol.asyncDispose]())
    recordedAnswersContract(folder, async (method, params) => {
      const { body } = await post(server, "/ext/bc/P", requestOf(method, params))
      return parseJson(body) as object
    })
  })

  describe("a served data directory", () => {
    let server: Node
    beforeAll(async () => {
      server = await serveGolden(folder)
    })
    afterAll(() => server.stop())
    recordedAnswersContract(folder, async (method, params) => {
      const { body } = (await server.api.handle("/ext/bc/P", Buffer.from(requestOf(method, params))))!
      return parseJson(Buffer.concat(body).toString()) as object
    })
  })
})

const requestOf = (method: string, params: Json) => printJson({ jsonrpc: "2.0", id: 1, method, params })
