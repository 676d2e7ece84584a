import { AVAX } from "../../../../src/core/networks/params.js"
import { nodeIDText } from "../../../../src/core/types/id.js"
import { COIN, ownerOf, payer } from "../payer.js"
import { DAY, HOUR, START, UNLOCKED } from "../when.js"
import { addDelegator, addValidator, friend, MIN_STAKE, type Scenario } from "./scenario.js"

/** Gives the friend UTXOs of every kind: free, locked, stakeable, shared, and of another asset. */
export function payFriend({ payer: purse }: Scenario) {
  const shared = { ...ownerOf(friend, payer), threshold: 2 }
  const outputs = [
    purse.output(7n * AVAX, ownerOf(friend)),
    purse.output(5n * AVAX, ownerOf(friend), { locktime: UNLOCKED }),
    purse.output(3n * AVAX, ownerOf(friend), { stakeableLocktime: UNLOCKED }),
    purse.output(2n * AVAX, ownerOf(friend), { stakeableLocktime: UNLOCKED + DAY, locktime: UNLOCKED }),
    purse.output(AVAX, ownerOf(friend), { locktime: START }),
    purse.output(4n * AVAX, shared),
    purse.output(11n, ownerOf(friend), {}, COIN),
  ]
  return purse.issue("BaseTx", {}, { outputs, coins: 11n })
}

/**
 * Adds three validators, each with a delegator that is rewarded earlier. One validator is rewarded, one loses its reward, and one stays.
 */
export async function stakes(act: Scenario) {
  const { node } = act
  const [winner, loser, stayer] = [await act.newNode(), await act.newNode(), await act.newNode()]
  const now = node.chain.privateChain!.now()
  const delegation = { end: now + 25n * HOUR, weight: 100n * AVAX }
  const validator = await addValidator(act, { nodeID: winner.nodeID, end: now + 26n * HOUR, weight: MIN_STAKE }, winner)
  const delegator = await addDelegator(act, { nodeID: winner.nodeID, ...delegation })
  const refused = await addValidator(act, { nodeID: loser.nodeID, end: now + 27n * HOUR, weight: MIN_STAKE }, loser)
  const paid = await addDelegator(act, { nodeID: loser.nodeID, ...delegation })
  const staying = await addValidator(act, { nodeID: stayer.nodeID, end: now + 90n * DAY, weight: MIN_STAKE }, stayer)
  const leaving = await addDelegator(act, { nodeID: stayer.nodeID, ...delegation })
  const remaining = await addDelegator(act, { nodeID: stayer.nodeID, ...delegation, end: now + 80n * DAY })
  await node.call("dev.advanceTime", { to: now + 26n * HOUR })
  await node.call("dev.setUptime", { nodeID: nodeIDText(loser.nodeID), percent: 50 })
  await node.call("dev.setUptime", { nodeID: nodeIDText(stayer.nodeID), percent: 87.654321 })
  return { txs: { validator, delegator, refused, paid, staying, leaving, remaining }, stayer }
}

/** Exports to the X-Chain, and adds a UTXO that can be imported from it. */
export async function crossings({ payer: purse, node }: Scenario, address: string) {
  const exportedOutputs = [purse.output(AVAX, ownerOf(friend))]
  const { xChainID: destinationChain } = node.chain.data.genesis
  const exported = await purse.issue("ExportTx", { destinationChain, exportedOutputs }, { amount: AVAX })
  const waiting: string[] = []
  for (const amount of [1, 2, 3]) {
    const { utxo } = await node.call<{ utxo: string }>("dev.creditAtomic", { sourceChain: "X", address, amount })
    waiting.push(utxo)
  }
  return { exported, waiting }
}
