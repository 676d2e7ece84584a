import { blockOf } from "../../../src/core/blocks/block.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { ReadModelGenesis } from "../../../src/core/readmodel/acceptedBlock.js"
import { beginPriceRecord } from "../../../src/core/rules/feePrices.js"
import { Diff } from "../../../src/core/state/diff.js"
import { recordSetChanges } from "../../../src/core/state/setChanges.js"
import { Priority } from "../../../src/core/state/staker.js"
import { recordTerms } from "../../../src/core/state/stakingTerms.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { emptyView } from "../../../src/core/state/view.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { blsKeyOf, ownerOf, signTx } from "../../fixtures/keys.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { addGenesisOutput, stakerWith } from "../../fixtures/state.js"
import { AVAX, idOfByte, validTxs } from "../../fixtures/txs.js"
import { nodes, people, X_CHAIN } from "./attempt.js"
import { outputTo } from "./draft.js"
import { COIN, type Model } from "./model.js"

/** The time at which random chains begin, Unix seconds. */
export const START = 1_800_000_000n
export const FAR = START + 10_000_000n

/** The genesis block of random chains. */
export const genesisOfChain = blockOf({ kind: "ApricotCommitBlock", parentID: idOfByte(0xee), height: 0n })

/** Makes the genesis of a random chain and adds it to its model: every key has funds, and one validator stays to the end. */
export function genesisState(model: Model): { readonly state: Diff; readonly genesis: ReadModelGenesis } {
  const state = new Diff(emptyView)
  state.put(tables.timestamp, null, START)
  const { id, bytes } = genesisOfChain
  state.put(tables.lastAccepted, null, { id, height: 0n })
  state.put(tables.blocks, id, bytes)
  state.put(tables.blockIDs, 0n, id)
  state.put(tables.chains, X_CHAIN, { subnetID: PRIMARY_NETWORK_ID, chainName: "X-Chain", vmID: idOfByte(8) })
  for (const [i, owner] of people.entries()) {
    for (let outputIndex = 0; outputIndex < 10; outputIndex++) {
      for (const [assetID, txID] of [
        [AVAX, idOfByte(0x20 + i)],
        [COIN, idOfByte(0x30 + i)],
      ] as const) {
        const coin = { assetID, txID, outputIndex, owner, amount: 100_000n * NAVAX }
        model.add(coin)
        addGenesisOutput(state, { txID, outputIndex, ...outputTo(owner, coin.amount, assetID) })
      }
    }
  }
  const [nodeID, owner] = [nodes[0]!, people[0]!]
  const weight = 2_000n * NAVAX
  const [start, end] = [START - 100n, FAR]
  const stake = { validator: { nodeID, start, end, weight }, inputs: [], outputs: [], stake: [outputTo(owner, weight)] }
  const owners = { validationRewardsOwner: ownerOf(owner), delegationRewardsOwner: ownerOf(owner) }
  const tx = signTx({ ...validTxs.AddPermissionlessValidatorTx, ...stake, ...owners, shares: 20_000 }, [])
  model.begin({
    txID: tx.id,
    subnetID: PRIMARY_NETWORK_ID,
    nodeID,
    isValidator: true,
    owner,
    weight,
    start,
    end,
    outputs: 0,
    shares: 20_000,
    order: 2,
    potentialReward: undefined,
  })
  const { potentialReward = 0n } = model.stakers.get(tx.id)!
  state.put(tables.supplies, PRIMARY_NETWORK_ID, model.supplies.get(PRIMARY_NETWORK_ID)!)
  state.put(tables.txs, tx.id, { status: TxStatus.committed, height: 0n, bytes: tx.bytes })
  const times = { startTime: start, endTime: end, nextTime: end }
  const who = { txID: tx.id, nodeID, weight, publicKey: blsKeyOf(1).publicKey, potentialReward }
  addCurrentStaker(state, stakerWith({ ...who, ...times, priority: Priority.primaryValidatorCurrent }))
  recordSetChanges(state, 0n)
  recordTerms(state, 0n)
  beginPriceRecord(state, model.rules, 0n)
  const utxos = [...state.rows(tables.utxos)].map(([, utxo]) => utxo)
  return { state, genesis: { timestamp: START, body: () => ({ utxos, validators: [tx], chains: [] }) } }
}
