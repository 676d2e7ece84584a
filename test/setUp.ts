import { Diff } from "../src/core/state/diff.js"
import { loadBackends } from "../src/platform/backends.js"

// Every test file runs this first. Signatures and proofs of possession are verified in WebAssembly, as in a running node, which takes a seventh of
// the time that JavaScript takes. The tests in src/core/crypto compare all implementations.
await loadBackends()

// `Diff.insert` promises that no such row exists below. The program does not look, to save a read; the tests do. Files of one worker share the class.
const { insert } = Diff.prototype
if (insert.name !== "checkedInsert") {
  Diff.prototype.insert = function checkedInsert(table, key, value) {
    if (this.get(table, key) !== undefined) throw new Error(`a row of ${table.name} is inserted that exists already`)
    insert.call(this, table as never, key, value)
  }
}
