import { describe, expect, test } from "vitest"
import { exampleChain } from "../../../test/fixtures/exampleChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import type { Example } from "../../jsonrpc/method.js"
import { platformMethods } from "./index.js"

const node = testNode({ ...exampleChain(), methods: platformMethods })

describe.each(platformMethods)("$name", ({ name, examples, summary }) => {
  test("has a summary and an example", () => {
    expect(examples.length).toBeGreaterThan(0)
    expect(summary).toMatch(/\.$/)
  })

  test.each(examples as readonly Example[])("answers as its example shows: $params", async ({ params, result }) => {
    expect(await node.call(name, params, "contract")).toEqual({ result })
  })
})
