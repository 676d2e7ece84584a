import { describe, expect, test } from "vitest"
import { serviceList } from "../../../../src/client/services.js"
import type { Json } from "../../../../src/core/lib/json.js"
import type { MethodsFixture } from "../fixture.js"
import type { Cases, Table } from "../table.js"
import { dialects } from "./answers.js"

type Params = { readonly [name: string]: Json }

/** Methods that are called once: a second answer differs, or each call hashes a password. */
const once = ["platform.issueTx", "keystore.createUser", "keystore.deleteUser", "keystore.exportUser", "keystore.importUser"]

/** Methods that ignore parameters that they do not have: those of AvalancheGo. test/rpc/unknownParams.test.ts asks the others. */
const tolerant = new Set(
  serviceList.flatMap(({ methods }) => methods.filter((each) => !each.isExtension).map(({ name }) => name)),
)

/** Checks that different spellings of the same parameters get the same answer. */
export function spellingsDoNotMatter({ nodes }: MethodsFixture, table: Table): void {
  const steady = Object.entries(table).filter(([method]) => !once.includes(method))
  describe.each(dialects)("under the dialect %s", (dialect) => {
    test.each(steady)("%s takes parameters in every form", async (method, cases) => {
      const { params = {}, [dialect]: expected } = cases.normal[0]!
      for (const given of spellings(params as Params, cases, tolerant.has(method))) {
        expect({ given, ...(await nodes[dialect].ask(method, given)) }).toEqual({ given, ...expected })
      }
    })

    const withIDs = steady.filter(([, { takes }]) => Object.values(takes).includes("ID"))
    test.each(withIDs)(
      "%s takes an empty ID for none where it may be left out, and AvalancheGo for a wrong one",
      async (method, cases) => {
        for (const [name, kind] of Object.entries(cases.takes)) {
          if (kind !== "ID") continue
          const { params = {}, contract: expected } = cases.normal[0]!
          const given = params as Params
          const { [name]: _, ...rest } = given
          const left = await nodes[dialect].ask(method, rest)
          const got = await nodes[dialect].ask(method, { ...rest, [name]: "" })
          const isNeeded = (left.error?.data as { code?: string } | null)?.code === "rpc.missing_param"
          if (dialect === "contract" && !isNeeded) expect(got).toEqual(name in given ? left : expected)
          else
            expect(got.error?.message).toMatch(
              dialect === "contract" ? /^a parameter does not have the required form \(/ : /^couldn't unmarshal/,
            )
        }
      },
    )
  })
}

/** The same parameters in other forms: in a list, in other letter case, among unknown ones, with null for missing ones. */
function spellings(params: Params, { takes }: Cases, isTolerant: boolean): (Json | undefined)[] {
  const entries = Object.entries(params)
  const inCapitals = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]))
  const nulls = Object.fromEntries(Object.keys(takes).map((name) => [name, null]))
  const forms: (Json | undefined)[] = [
    params,
    [params],
    [params, "ignored"],
    inCapitals,
    { ...nulls, ...params },
    ...(isTolerant ? [{ ...params, other: [5] }] : []),
  ]
  return entries.length > 0 ? forms : [...forms, undefined, null, [], [null], ...(isTolerant ? [{ anything: "goes" }] : [])]
}
