import { expect, test } from "vitest"
import type { Log } from "../../core/lib/log.js"
import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../core/networks/names.js"
import { COUNTS_AS_OFFLINE, NOT_VOTING, validationLog, validationOf } from "./validation.js"

test("a validator votes on local and custom networks, and not on Mainnet and Fuji", () => {
  expect([LOCAL_ID, 424_242].map((id) => validationOf(id, true))).toEqual(["voting", "voting"])
  expect([MAINNET_ID, FUJI_ID].map((id) => validationOf(id, true))).toEqual(["notVoting", "notVoting"])
  expect(validationOf(MAINNET_ID, false)).toBe("none")
})

test("the log warns once of a validator that does not vote, and of one that other nodes count as offline", () => {
  const lines: string[] = []
  const note = (level: string) => (event: string) => void lines.push(`${level}: ${event}`)
  const log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") } as Log
  const update = validationLog(log)
  for (const each of ["none", "notVoting", "notVoting", "voting"] as const) update(each)
  expect(lines).toEqual([`warn: ${NOT_VOTING}`, "info: validation", `warn: ${COUNTS_AS_OFFLINE}`])
})
