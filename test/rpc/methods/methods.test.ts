import { afterAll, describe, expect, test } from "vitest"
import { type Json, printJson } from "../../../src/lib/json.js"
import type { Dialect } from "../../../src/rpc/schema.js"
import { allCases } from "./cases/all.js"
import { openFacts } from "./facts.js"
import { type Case, categories } from "./table.js"
import { undecodable } from "./undecodable.js"

const facts = await openFacts()
afterAll(async () => {
  await facts.nodes.contract.stop()
  await facts.nodes.avalanchego.stop()
})

const table = allCases(facts)

/** Asks a question and puts the node back where it changed something. */
async function answer(dialect: Dialect, method: string, { params, after }: Case) {
  const node = facts.nodes[dialect]
  if (!after) return node.ask(method, params)
  const { id } = await node.call<{ id: number }>("dev.snapshot")
  try {
    for (const call of after) await node.ask(...call)
    return await node.ask(method, params)
  } finally {
    await node.call("dev.revert", { id })
  }
}

const dialects = ["contract", "avalanchego"] as const

describe.each(dialects)("under the dialect %s", (dialect) => {
  describe.each(Object.entries(table))("%s", (method, cases) => {
    test.each(categories.filter((category) => cases[category]?.length))("%s", async (category) => {
      for (const each of cases[category]!) {
        const got = await answer(dialect, method, each)
        expect({ params: each.params, ...got }).toEqual({ params: each.params, ...each[dialect] })
      }
    })
    test("parameters that are none", async () => {
      const params = cases.normal[0]!.params ?? {}
      for (const each of undecodable(params as { [name: string]: Json }, cases.takes)) {
        const got = await answer(dialect, method, each)
        expect({ params: printJson(each.params), ...got }).toEqual({ params: printJson(each.params), ...each[dialect] })
      }
    })
  })
})
