import { expect, test } from "vitest"
import { signTx } from "../../../test/fixtures/keys.js"
import { validFor } from "../../../test/fixtures/validFor.js"
import { neverPausing } from "../lib/pace.js"
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
    async verify() {
      await Promise.resolve()
      pools.push(new Mempool())
      return admission
    },
    drop: ({ id }, error, reason) => pools.at(-1)?.markDropped(id, { error, reason }),
  }
}

test("a transaction enters the mempool that is there when it has been verified", async () => {
  const target = targetWith(valid)
  await admitTx(target, payment, neverPausing)
  expect(target.pools.map(({ size }) => size)).toEqual([0, 1])
})

test("a refused transaction is verified again only by verifyAndAdd", async () => {
  const error = chainError("chain.tx_above_capacity", { gas: 2n, capacity: 1n })
  const target = targetWith({ ok: false, error, reason: "the reason", answer: "failed verification: the reason" })
  const texts: string[] = []
  const textsOf = async (admit: typeof admitTx) => {
    try {
      await admit(target, payment, neverPausing)
    } catch (thrown) {
      return (thrown as { avalanchegoMessage: string }).avalanchegoMessage
    }
    return "none"
  }
  for (const admit of [admitTx, admitTx, verifyAndAdd]) texts.push(await textsOf(admit))
  expect(texts).toEqual(["failed verification: the reason", "the reason", "failed verification: the reason"])
})
