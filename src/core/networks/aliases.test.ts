import { expect, test } from "vitest"
import { P_CHAIN_ID, parseID } from "../types/id.js"
import { chainIDOf, requireChainID } from "./aliases.js"

const X = "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"
const C = "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC"
const local = { xChainID: parseID(X), cChainID: parseID(C) }

test.each([
  [P_CHAIN_ID, ["P", "platform", "11111111111111111111111111111111LpoYY"]],
  [local.xChainID, ["X", "avm", X]],
  [local.cChainID, ["C", "evm", C]],
])("a chain is found by its names and by its own ID", (id, names) => {
  expect(names.map((name) => chainIDOf(name, local))).toEqual([id, id, id])
})

test.each(["", "p", "x", "Platform", "P ", "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm"])(
  "%j is no chain's name",
  (alias) => {
    expect(chainIDOf(alias, local)).toBeUndefined()
    expect(() => requireChainID(alias, local)).toThrow(
      expect.objectContaining({ code: "network.unknown_alias", avalanchegoMessage: `there is no ID with alias: ${alias}` }),
    )
  },
)
