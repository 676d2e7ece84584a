import { expect, test } from "vitest"
import { height } from "../../kinds.js"
import { proposedHeightIn } from "./heights.js"

test("a result depends on the proposed height if its parameters may name it, also with escapes", () => {
  const asked: string[] = []
  const textOf = (params: string) => {
    const node = {
      proposedHeight: () => {
        asked.push(params)
        return 7n
      },
    }
    return proposedHeightIn({ node } as never, params)
  }
  const escaped = '{"height":"\\u0070roposed"}'
  expect(height.fromJson(JSON.parse(escaped).height, {})).toBe("proposed")
  expect(['{"height":7}', '{"height":"proposed"}', escaped, ""].map(textOf)).toEqual(["", "7", "7", ""])
  expect(asked).toEqual(['{"height":"proposed"}', escaped])
})
