import type { Rules } from "../rules/context.js"
import { beginPriceRecord } from "../rules/feePrices.js"
import { promiseReward } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import { recordSetChanges } from "../state/setChanges.js"
import { addCurrentStaker } from "../state/stakers.js"
import { recordTerms } from "../state/stakingTerms.js"
import { TxStatus, tables } from "../state/tables.js"
import { stakerInfoOf } from "../txs/execute.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { utxoID } from "../types/utxo.js"
import type { Genesis } from "./genesis.js"

/** Writes the initial state into a diff on an empty view. Proofs of possession are not verified here; `verifyProof` does that. */
export function applyGenesis(diff: Diff, genesis: Genesis, rules: Rules): void {
  const { initialSupply, utxos, validators, chains } = genesis.body()
  diff.put(tables.timestamp, null, genesis.timestamp)
  diff.put(tables.supplies, PRIMARY_NETWORK_ID, initialSupply)
  for (const { txID, outputIndex, assetID, output } of utxos) {
    const id = utxoID(txID, outputIndex, rules.crypto.sha256Hex)
    const utxo = { txID, outputIndex, assetID, output }
    diff.insert(tables.utxos, id, utxo)
    diff.insert(tables.untracedOutputs, id, { height: 0n, utxo })
  }
  for (const { id, unsignedTx, bytes } of validators) {
    const info = stakerInfoOf(unsignedTx)
    if (!info) throw new Error(`${unsignedTx.kind} makes no validator`)
    const { nodeID, subnetID, publicKey, weight, start, end } = info
    // Each reward is added to the supply from which the next is computed, so the order of the list matters.
    const potentialReward = promiseReward(diff, rules, subnetID, { start, duration: end - start, weight })
    const times = { startTime: start, endTime: end, nextTime: end }
    const staker = { txID: id, nodeID, subnetID, publicKey, weight, ...times, potentialReward, priority: info.currentPriority }
    addCurrentStaker(diff, staker, { bls: rules.crypto.bls })
    diff.put(tables.txs, id, { status: TxStatus.committed, height: 0n, bytes })
  }
  for (const { id, unsignedTx, bytes } of chains) {
    const { subnetID, chainName, vmID } = unsignedTx
    diff.put(tables.chains, id, { subnetID, chainName, vmID })
    diff.put(tables.txs, id, { status: TxStatus.committed, height: 0n, bytes })
  }
  recordSetChanges(diff, 0n)
  recordTerms(diff, 0n)
  beginPriceRecord(diff, rules, 0n)
  diff.put(tables.blocks, genesis.block.id, genesis.block.bytes)
  diff.put(tables.blockIDs, 0n, genesis.block.id)
  diff.put(tables.lastAccepted, null, { id: genesis.block.id, height: 0n })
}
