import { expect, test } from "vitest"
import { createLog, type LogOptions } from "./log.js"

function linesOf(form: LogOptions["form"], data: Record<string, string>): string {
  let written = ""
  createLog({ level: "info", form, now: () => 0, write: (text) => (written += text) }).info("seen", data)
  return written
}

test("untrusted text in a log line is escaped, so that it neither controls the terminal nor starts a new line", () => {
  const data = { name: "\x1b[2J\x9b2J\nerror forged", error: "Error\n    at here\x07" }
  expect(linesOf("people", data)).toBe(
    "\x1b[90m00:00:00\x1b[0m \x1b[36minfo \x1b[0m seen\x1b[90m name=\\u001b[2J\\u009b2J\\nerror forged error=Error\n    at here\\u0007\x1b[0m\n",
  )
  const machine = linesOf("machines", data)
  expect(machine).toMatch(/^[ -~]*\n$/)
  expect(JSON.parse(machine)).toEqual({ time: "1970-01-01T00:00:00.000Z", level: "info", event: "seen", ...data })
})
