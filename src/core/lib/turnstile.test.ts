import { expect, test } from "vitest"
import { Turnstile } from "./turnstile.js"

/** Work that ends when the test resolves it. */
function work() {
  let resolve: (value: string) => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<string>((onEnd, onFailure) => {
    resolve = onEnd
    reject = onFailure
  })
  return { promise, resolve, reject }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test("works run a few at a time, in order, and the rest wait", async () => {
  const turnstile = new Turnstile(2, 2)
  const works = [work(), work(), work(), work()]
  const begun: number[] = []
  const runs = works.map((each, index) =>
    turnstile.run(() => {
      begun.push(index)
      return each.promise
    }),
  )
  await settled()
  expect(begun).toEqual([0, 1])
  expect(turnstile.isFull).toBe(true)
  works[1]?.resolve("one")
  await settled()
  expect(begun).toEqual([0, 1, 2])
  expect(turnstile.isFull).toBe(false)
  works[0]?.reject(new Error("none"))
  await expect(runs[0]).rejects.toThrow("none")
  await settled()
  expect(begun).toEqual([0, 1, 2, 3])
  works[2]?.resolve("two")
  works[3]?.resolve("three")
  expect(await Promise.all(runs.slice(1))).toEqual(["one", "two", "three"])
})
