import { expect, test } from "vitest"
import { keystoreError } from "../../../../src/keystore/errors.js"
import { keystoreRpcError } from "../../../../src/keystore/methods/errors.js"
import { infoError } from "../../../../src/services/info/errors.js"
import { platformError } from "../../../../src/services/platform/errors.js"
import type { MethodsFixture } from "../fixture.js"
import { type Case, type Cases, categories, type Table } from "../table.js"

interface MethodDescription {
  readonly name: string
  readonly params: readonly { readonly name: string }[]
}

const services = /^(platform|info|keystore)\./

/** Error codes that no running node of these tests can give; other tests cover them. */
const elsewhere = [
  "keystore.busy",
  "keystore.full",
  "keystore.unavailable",
  "platform.history_incomplete",
  "platform.no_history",
  "platform.weight_overflow",
]

/** Checks that the table has every method that the node describes, every kind of case that applies to it, and every refusal. */
export function tableIsComplete({ nodes }: MethodsFixture, table: Table): void {
  const described = async () => {
    const { methods } = await nodes.contract.call<{ methods: readonly MethodDescription[] }>("rpc.discover")
    return methods.filter(({ name }) => services.test(name))
  }

  test("every method that the node describes has its cases, and no other", async () => {
    const names = (await described()).map(({ name }) => name)
    expect(names.length).toBeGreaterThanOrEqual(52)
    expect(Object.keys(table).sort()).toEqual([...names].sort())
  })

  test("the cases show each method normally, with all parameters and with none", async () => {
    const faults = (await described()).flatMap(({ name, params }) =>
      faultsOf(
        table[name]!,
        params.map((param) => param.name),
      ).map((fault) => `${name}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  test("every error code of the three interfaces occurs in a case, and every method that can refuse has a refused case", () => {
    const all = Object.values(table).flatMap((cases) => categories.flatMap((category) => cases[category] ?? []))
    const met = new Set(all.map(({ contract }) => (contract.error?.data as { code: string } | undefined)?.code))
    const lists = [platformError.list, infoError.list, keystoreError.list, keystoreRpcError.list]
    const codes = lists.flatMap((list) => Object.keys(list))
    expect(codes.filter((code) => !met.has(code)).sort()).toEqual(elsewhere)
  })
}

function faultsOf(cases: Cases, names: readonly string[]): string[] {
  const faults: string[] = []
  const isAll = ({ params }: Case) => names.every((name) => Object.hasOwn((params ?? {}) as object, name))
  const isNone = ({ params }: Case) => params === undefined || Object.keys(params as object).length === 0
  if (cases.normal.length === 0) faults.push("no normal case")
  if (Object.keys(cases.takes).join() !== names.join()) faults.push(`takes ${names.join()}`)
  if (names.length === 0) return faults
  if (!cases["all parameters"]?.some(isAll)) faults.push("no case with all parameters")
  if (!cases["omitted parameters"]?.some(isNone)) faults.push("no case without any")
  return faults
}
