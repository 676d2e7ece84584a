import { describe, expect, test } from "vitest"
import { printJson } from "../../../../src/core/lib/json.js"
import type { MethodsFixture } from "../fixture.js"
import type { Answer, RunningNode } from "../runningNode.js"
import { type Case, categories, type Table } from "../table.js"
import { undecodable } from "../undecodable.js"

export const dialects = ["contract", "avalanchego"] as const

/** Takes a snapshot of a node's chain, runs an action, and reverts to the snapshot. */
export async function undone<T>(node: RunningNode, action: () => Promise<T>): Promise<T> {
  const { id } = await node.call<{ id: number }>("dev.snapshot")
  try {
    return await action()
  } finally {
    await node.call("dev.revert", { id })
  }
}

/** Returns the answer to the call of a case. */
async function answer(node: RunningNode, method: string, { params, after, afterwards = [] }: Case): Promise<Answer> {
  const ask = async () => {
    for (const call of after ?? []) await node.ask(...call)
    const got = await node.ask(method, params)
    for (const call of afterwards) await node.ask(...call)
    return got
  }
  return after ? undone(node, ask) : ask()
}

/** Checks that every case of the table has its expected answer, in both dialects. */
export function answersAreAsExpected({ nodes }: Pick<MethodsFixture, "nodes">, table: Table): void {
  describe.each(dialects)("under the dialect %s", (dialect) => {
    const check = async (method: string, cases: readonly Case[]) => {
      for (const each of cases) {
        const asked = each.params === undefined ? "nothing" : printJson(each.params)
        expect({ asked, ...(await answer(nodes[dialect], method, each)) }).toEqual({ asked, ...each[dialect] })
      }
    }
    describe.each(Object.entries(table))("%s", (method, cases) => {
      test.each(categories.filter((category) => cases[category]))("%s", (category) => check(method, cases[category]!))
      test("parameters that are none", () => check(method, undecodable(cases.normal[0]!, cases.takes)))
    })
  })
}
