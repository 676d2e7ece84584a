import { AVAX } from "../../src/core/networks/params.js"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { PRIMARY_NETWORK_ID, parseNodeID } from "../../src/core/types/id.js"
import { ewoqOutput, ewoqOwner, spendUnspent, type Unspent } from "../fixtures/spendUnspent.js"

/** Much more than the transaction costs. */
const FEE = 1_000_000n
const STAKE = 1_000n * AVAX

/** Delegates 1,000 AVAX of `ewoq` to a validator until a time in Unix seconds; the change is the first output. */
export function delegation(unspent: Unspent, rules: Rules, nodeID: string, end: bigint): Tx {
  return spendUnspent(unspent, rules, [unspent.amount - STAKE - FEE], "AddPermissionlessDelegatorTx", {
    validator: { nodeID: parseNodeID(nodeID), start: 0n, end, weight: STAKE },
    subnetID: PRIMARY_NETWORK_ID,
    stake: [ewoqOutput(STAKE, rules.avaxAssetID)],
    rewardsOwner: ewoqOwner,
  })
}

/** The change of the output that a delegation spent. */
export function changeOfDelegation(tx: Tx, spent: Unspent): Unspent {
  return { txID: tx.id, outputIndex: 0, amount: spent.amount - STAKE - FEE }
}
