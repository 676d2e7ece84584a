import { expect, it } from "vitest"
import { flatText } from "./flatText.js"

it("copies a text", () => {
  let text = ""
  for (const part of ["NodeID-", "P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "é€𝄞"]) text += part
  expect(flatText(text)).toBe("NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5é€𝄞")
  expect(flatText("")).toBe("")
})

it("writes half of a surrogate pair as UTF-8 does", () => {
  expect(flatText("a\ud834b")).toBe("a\ufffdb")
})
