import { expect, test } from "vitest"
import { signTx } from "../../../test/fixtures/keys.js"
import { validFor } from "../../../test/fixtures/validFor.js"
import { doNow } from "../lib/work.js"
import type { TxAdmission } from "./admission.js"
import { type AdmissionTarget, admitTx, verifyAndAdd } from "./admitTx.js"
import { chainError } from "./errors.js"
import { Mempool } from "./mempool.js"

const { tx, signers } = validFor("BaseTx")
const payment = signTx(tx, signers)
const valid: TxAdmission = {
  ok: true,
  fee: 1n,
  complexity: { bandwidth: 1n, dbRead: 0n, dbWrite: 0n, compute: 0n },
  gas: 1n,
  burned: 1n,
}

/** A mempool that is replaced while the first transaction is verified. */
function targetWith(admission: TxAdmission): AdmissionTarget & { readonly pools: Mempool[] } {
  const pools = [new Mempool()]
  return {
    pools,
    pool: () => pools.at(-1) as Mempool,
    *verify() {
      yield
      pools.push(new Mempool())
      return admission
    },
    drop: ({ id }, error, reason) => pools.at(-1)?.markDropped(id, { error, reason }),
  }
}

test("a transaction enters the mempool that is there when it has been verified", () => {
  const target = targetWith(valid)
  doNow(admitTx(target, payment))
  expect(target.pools.map(({ size }) => size)).toEqual([0, 1])
})

test("a refused transaction is verified again only by verifyAndAdd", () => {
  const error = chainError("chain.tx_above_capacity", { gas: 2n, capacity: 1n })
  const target = targetWith({ ok: false, error, reason: "the reason", answer: "failed verification: the reason" })
  const textsOf = (work: typeof admitTx) => {
    try {
      doNow(work(target, payment))
    } catch (thrown) {
      return (thrown as { avalanchegoMessage: string }).avalanchegoMessage
    }
    return "none"
  }
  expect([admitTx, admitTx, verifyAndAdd].map(textsOf)).toEqual([
    "failed verification: the reason",
    "the reason",
    "failed verification: the reason",
  ])
})
