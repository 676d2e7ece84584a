import { afterEach, beforeEach } from "vitest"
import { Diff } from "../../src/core/state/diff.js"

/** Makes `Diff.insert` throw in the tests of a file if the row exists already. The program does not check this, to save a read. */
export function checkInserts(): void {
  const { insert } = Diff.prototype
  beforeEach(() => {
    Diff.prototype.insert = function (table, key, value) {
      if (this.get(table, key) !== undefined) throw new Error(`a row of ${table.name} is inserted that exists already`)
      insert.call(this, table as never, key, value)
    }
  })
  afterEach(() => {
    Diff.prototype.insert = insert
  })
}
