import { expect, test } from "vitest"
import { storeError } from "../store/errors.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { guardedState } from "./guardedState.js"

/** The faults that are reported when a commit fails with this error, and the error that the caller gets. */
function reportedFor(error: Error): { readonly faults: unknown[]; readonly thrown: unknown } {
  const faults: unknown[] = []
  const failing = {
    latest: new MemoryStore().latest,
    commit() {
      throw error
    },
  }
  try {
    guardedState(failing, (fault) => faults.push(fault)).commit(new Map())
    return { faults, thrown: undefined }
  } catch (thrown) {
    return { faults, thrown }
  }
}

test("a failed write is reported to the caller, and the node continues", () => {
  const error = storeError("store.disk_full", { dir: "d" })
  expect(reportedFor(error)).toEqual({ faults: [], thrown: error })
})

test("memory that LMDB has overwritten ends the node, as every fault of its own does", () => {
  for (const error of [storeError("store.write_failed", { dir: "d" }), new Error("a bug")]) {
    expect(reportedFor(error)).toEqual({ faults: [error], thrown: error })
  }
})
