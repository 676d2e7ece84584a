import { Mempool } from "../../../src/core/chain/mempool.js"
import { LOCAL_ID } from "../../../src/core/networks/names.js"
import { toGas } from "../../../src/core/rules/gas.js"
import { burnedAvax } from "../../../src/core/txs/amounts.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { type ID, idOf, P_CHAIN_ID } from "../../../src/core/types/id.js"
import { AVAX } from "../../fixtures/txs.js"
import { refusalCode } from "../../refusal.js"
import type { Entry, Group } from "../group.js"
import { dimensionsOf } from "./complexity.js"

/** Returns the ID for a name of a vector: 64 hex digits are the ID itself; any other name is hashed. */
const idNamed = (name: string): ID => (/^[0-9a-f]{64}$/.test(name) ? (name as ID) : idOf(Buffer.from(name)))

/** A transaction that spends these inputs and this amount of AVAX, and produces this amount. Its ID is that of the vector. */
function txOf({ id, inputs, consumed, produced }: Entry): Tx {
  const names = [...inputs]
  const unsignedTx: UnsignedTx = {
    kind: "BaseTx",
    networkID: LOCAL_ID,
    blockchainID: P_CHAIN_ID,
    outputs:
      BigInt(produced) === 0n
        ? []
        : [
            {
              assetID: AVAX,
              output: { kind: "TransferOutput", amount: BigInt(produced), locktime: 0n, threshold: 0, addresses: [] },
            },
          ],
    inputs: names.map((name, i) => ({
      txID: idNamed(`input ${name}`),
      outputIndex: 0,
      assetID: AVAX,
      input: { kind: "TransferInput", amount: i === 0 ? BigInt(consumed) : 0n, signatureIndices: [] },
    })),
    memo: new Uint8Array(0),
  }
  return { ...signedTxOf(unsignedTx, []), id: idNamed(id) }
}

/** Meters a transaction and adds it to the mempool. Returns the code of a refusal. */
function add(pool: Mempool, entry: Entry, weights: Entry): string | undefined {
  const tx = txOf(entry)
  return refusalCode(() => {
    const gas = toGas(complexityOf(tx.unsignedTx), dimensionsOf(weights))
    pool.add(tx, { gas, burned: burnedAvax(tx.unsignedTx, AVAX) })
  })
}

/** Our codes by the reference's names. */
const codes: Readonly<Record<string, string>> = {
  errNoGasUsed: "chain.no_gas",
  ErrNotEnoughGas: "chain.pool_full",
  ErrConflictsWithOtherTx: "chain.conflicting_tx",
  errAVAXMinted: "tx.mints",
}

export const mempool: Group = {
  "add-v1.14.2"({ input, expected }, verdict) {
    const pool = new Mempool(BigInt(input.gasCapacity))
    for (const each of input.existing) verdict.equal(`adding ${each.id}`, add(pool, each, input.weights), undefined)
    const code = add(pool, input.tx, input.weights)
    verdict.equal("is refused", code !== undefined, expected.error !== null)
    if (code !== undefined && codes[expected.error]) verdict.equal("error", code, codes[expected.error])
    verdict.equal("txIDs", [...pool].map(({ id }) => id).sort(), expected.txIDs.map(idNamed).sort())
  },

  "order-v1.14.2"({ input, expected }, verdict) {
    const pool = new Mempool()
    for (const each of input.txs) verdict.equal(`adding ${each.id}`, add(pool, each, input.weights), undefined)
    verdict.equal(
      "order",
      [...pool].map(({ id }) => id),
      expected.order.map(idNamed),
    )
  },
}
