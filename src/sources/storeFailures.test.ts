import { expect, test } from "vitest"
import { storeError } from "../store/errors.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { StoreFailures } from "./storeFailures.js"

const full = storeError("store.disk_full", { dir: "/data" })
const broken = storeError("store.io_error", { dir: "/data" })

test("a failure that comes again within a minute is not logged again, and one that lasts is logged after it", () => {
  let now = 0
  const lines: string[] = []
  const note = (event: string, data?: object) =>
    void lines.push(`${now / 1000} ${event}${data && "code" in data ? ` ${data.code}` : ""}`)
  const failures = new StoreFailures({ error: note, info: note }, () => now)
  const state = failures.stateOf(new MemoryStore())
  const fail = (error: Error) => expect(failures.hasRecorded(error)).toBe(true)
  // A disk that is nearly full: large writes fail every second, and small ones between them succeed.
  for (; now < 120_000; now += 1000) {
    fail(full)
    state.commit(new Map())
  }
  for (; now < 200_000; now += 1000) fail(full)
  fail(broken)
  expect(lines).toEqual([
    "0 the store cannot be written store.disk_full",
    "0 the store is written again",
    "60 the store cannot be written store.disk_full",
    "60 the store is written again",
    "120 the store cannot be written store.disk_full",
    "200 the store cannot be written store.io_error",
  ])
})
