import { expect, test, vi } from "vitest"
import { StartTurns } from "./startTurns.js"

/** Turns whose timers run by hand, and starts that end by hand. */
function turns() {
  const timers: (() => void)[] = []
  const starts = new StartTurns((_, task) => {
    timers.push(task)
    return () => timers.splice(timers.indexOf(task), 1)
  })
  const begun: string[] = []
  const ends = new Map<string, (value: string) => void>()
  const start = (name: string, ending = new AbortController().signal) =>
    starts.run(ending, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, resolve))
    })
  return { timers, start, begun, end: (name: string) => ends.get(name)?.(`${name} runs`) }
}

test("four start at a time, and the next one when one has ended", async () => {
  const { start, begun, end } = turns()
  const started = ["a", "b", "c", "d", "e"].map((name) => start(name))
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c", "d"]))
  end("b")
  expect(await started[1]).toBe("b runs")
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c", "d", "e"]))
})

test("a start that takes long lets the next one begin, and goes on", async () => {
  const { start, begun, end, timers } = turns()
  const started = ["a", "b", "c", "d", "e"].map((name) => start(name))
  await vi.waitFor(() => expect(begun.length).toBe(4))
  timers[0]?.()
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c", "d", "e"]))
  end("a")
  expect(await started[0]).toBe("a runs")
})

test("a start that is ended before its turn never begins", async () => {
  const { start, begun, end } = turns()
  const others = ["a", "b", "c", "d"].map((name) => start(name))
  const ending = new AbortController()
  const ended = start("e", ending.signal)
  ending.abort(new Error("enough"))
  await expect(ended).rejects.toThrow("enough")
  for (const name of ["a", "b", "c", "d"]) end(name)
  await Promise.all(others)
  expect(begun).toEqual(["a", "b", "c", "d"])
})

test("a start that is refused at once ends its turn", async () => {
  const starts = new StartTurns(() => () => {})
  const refused = () =>
    starts.run(new AbortController().signal, () => {
      throw new Error("refused")
    })
  for (let i = 0; i < 5; i++) await expect(refused()).rejects.toThrow("refused")
})
