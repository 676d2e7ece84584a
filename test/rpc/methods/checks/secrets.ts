import { describe, expect, test } from "vitest"
import { printJson } from "../../../../src/core/lib/json.js"
import type { MethodsFixture } from "../fixture.js"
import { categories, type Table } from "../table.js"
import { dialects } from "./answers.js"

/** Checks that no answer repeats a secret of the keystore, and that refusals do not change it. Runs after the cases of the table. */
export function secretsAreKept({ nodes }: MethodsFixture, table: Table): void {
  test("no answer of the keystore holds the password that was given", () => {
    for (const [method, cases] of Object.entries(table)) {
      if (!method.startsWith("keystore.")) continue
      for (const each of categories.flatMap((category) => cases[category] ?? [])) {
        const { password } = (each.params ?? {}) as { password?: string }
        // A plain word may also occur in a sentence of an error.
        if (!password || /^[a-z]*$/.test(password)) continue
        for (const dialect of dialects) expect(printJson(each[dialect] as never)).not.toContain(password)
      }
    }
  })

  describe.each(dialects)("under the dialect %s", (dialect) => {
    test("after all refusals the users are unchanged", async () => {
      expect(await nodes[dialect].call("keystore.listUsers")).toEqual({ users: ["bob"] })
    })
  })
}
