import { describe, expect, test } from "vitest"
import { printJson } from "../../../../src/core/lib/json.js"
import type { Facts } from "../facts.js"
import { categories, type Table } from "../table.js"
import { dialects } from "./answers.js"

/** What the keystore is told stays there, and what it refuses leaves it as it was. Comes after the table's cases were asked. */
export function secretsAreKept({ nodes }: Facts, table: Table): void {
  test("no answer of the keystore holds the password that was given", () => {
    for (const [method, cases] of Object.entries(table)) {
      if (!method.startsWith("keystore.")) continue
      for (const each of categories.flatMap((category) => cases[category] ?? [])) {
        const { password } = (each.params ?? {}) as { password?: string }
        // A plain word may stand in a sentence of ours.
        if (!password || /^[a-z]*$/.test(password)) continue
        for (const dialect of dialects) expect(printJson(each[dialect] as never)).not.toContain(password)
      }
    }
  })

  describe.each(dialects)("under the dialect %s", (dialect) => {
    test("after all that was refused, the users are who they were", async () => {
      expect(await nodes[dialect].call("keystore.listUsers")).toEqual({ users: ["bob"] })
    })
  })
}
