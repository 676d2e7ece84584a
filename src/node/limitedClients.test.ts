import { expect, test } from "vitest"
import { limitedClients } from "./activityLog.js"
import { createLog } from "./log.js"

test("a client over its limit is a line at once, and one with the number of further requests each minute", () => {
  const lines: unknown[] = []
  const write = (text: string) => void lines.push(Object.values(JSON.parse(text)).slice(2))
  const log = createLog({ level: "info", form: "machines", hasColors: false, now: () => 0, write })
  const waiting: (() => void)[] = []
  const clients = limitedClients(log, (milliseconds, callback) => {
    expect(milliseconds).toBe(60_000)
    waiting.push(callback)
  })
  const isOver = "client over its limit"
  for (const client of ["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.1"]) clients.add(client)
  expect(lines.splice(0)).toEqual([
    [isOver, "10.0.0.1", 1],
    [isOver, "10.0.0.2", 1],
  ])
  expect(waiting).toHaveLength(1)
  waiting.pop()?.()
  expect(lines.splice(0)).toEqual([[isOver, "10.0.0.1", 2]])
  for (let i = 0; i < 130; i++) clients.add(`10.0.1.${i}`)
  expect(lines.splice(0)).toHaveLength(100)
  clients.flush()
  expect(lines).toEqual([["other clients over their limits", 30]])
})
