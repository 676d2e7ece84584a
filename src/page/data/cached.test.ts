import { expect, test } from "vitest"
import { Cached } from "./cached.js"

test("a question is asked once, by all who ask it at the same time too", async () => {
  const cached = new Cached<string>(2)
  const asked: string[] = []
  const ask = (key: string) =>
    cached.of(key, async () => {
      asked.push(key)
      return `answer ${key}`
    })
  expect(await Promise.all([ask("a"), ask("a")])).toEqual(["answer a", "answer a"])
  expect(await ask("a")).toBe("answer a")
  expect(asked).toEqual(["a"])
})

test("a question that failed is asked again", async () => {
  const cached = new Cached<string>(2)
  await expect(cached.of("a", () => Promise.reject(new Error("the node does not answer")))).rejects.toThrow("does not answer")
  expect(await cached.of("a", async () => "answer")).toBe("answer")
})

test("the oldest answer goes when there are more than fit", async () => {
  const cached = new Cached<number>(2)
  let asked = 0
  const ask = (key: string) => cached.of(key, async () => ++asked)
  for (const key of ["a", "b", "c"]) await ask(key)
  expect([await ask("b"), await ask("c"), await ask("a")]).toEqual([2, 3, 4])
})
