import { expect, test } from "vitest"
import { given } from "../../../test/fixtures/state.js"
import { validTxs } from "../../../test/fixtures/txs.js"
import { DecodedRows } from "../state/decodedRows.js"
import { Diff } from "../state/diff.js"
import { TxStatus, tables } from "../state/tables.js"
import { acceptedTx } from "./execute.js"
import { signedTxOf } from "./tx.js"

test("an accepted transaction is decoded once for all diffs of a chain, and only those that have its row find it", () => {
  const decodedTxs = new DecodedRows()
  const [branch, otherBranch] = [new Diff(given(), decodedTxs), new Diff(given(), decodedTxs)]
  const tx = signedTxOf(validTxs.AddValidatorTx, [])
  branch.put(tables.txs, tx.id, { status: TxStatus.committed, height: 1n, bytes: tx.bytes })
  const found = acceptedTx(branch, tx.id)
  expect(found).toEqual(tx)
  expect(acceptedTx(new Diff(branch), tx.id)).toBe(found)
  expect(acceptedTx(otherBranch, tx.id)).toBe(undefined)
})

test("a view that keeps no decoded transactions decodes one each time", () => {
  const diff = new Diff(given())
  const tx = signedTxOf(validTxs.BaseTx, [])
  diff.put(tables.txs, tx.id, { status: TxStatus.committed, height: 1n, bytes: tx.bytes })
  const found = acceptedTx(diff, tx.id)
  expect(found).toEqual(tx)
  expect(acceptedTx(diff, tx.id)).not.toBe(found)
})
