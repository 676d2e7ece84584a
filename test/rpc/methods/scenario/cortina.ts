import { utf8 } from "../../../../src/core/lib/bytes.js"
import { AVAX } from "../../../../src/core/networks/params.js"
import type { ID } from "../../../../src/core/types/id.js"
import { idOfName } from "../../../../src/core/types/id.js"
import { idOfByte } from "../../../fixtures/txs.js"
import { COIN, ownerOf, payer } from "../payer.js"
import { DAY, HOUR, START } from "../when.js"
import { addDelegator, addValidator, authorized, friend, MIN_STAKE, type Scenario, stakeOf } from "./scenario.js"

/** The supply of COINs, and the part of it that can be earned. */
const COINS = 1_000_000n
const EARNABLE = 100_000n

/** Transactions that only the rules until Cortina accept: stakers that begin later, stakers without a key, memos. */
export async function underCortina(act: Scenario) {
  const { payer: purse } = act
  const { nodeID } = await act.newNode()
  const late = await act.newNode()
  const { fields: first, payment } = stakeOf(act, { nodeID, start: START + HOUR, end: START + 300n * DAY, weight: MIN_STAKE })
  const keyless = await purse.issue("AddValidatorTx", { ...first, rewardsOwner: ownerOf(friend), shares: 30_000 }, payment)
  const delegation = { nodeID, end: START + 200n * DAY, weight: 25n * AVAX }
  const second = stakeOf(act, { ...delegation, start: START + 2n * HOUR })
  const oldDelegator = await purse.issue("AddDelegatorTx", { ...second.fields, rewardsOwner: ownerOf(payer) }, second.payment)
  const later = { start: START + 13n * DAY, end: START + 100n * DAY }
  const pending = await addValidator(act, { nodeID: late.nodeID, ...later, weight: MIN_STAKE }, late)
  const pendingDelegator = await addDelegator(act, { nodeID, ...later, weight: 30n * AVAX })
  const subnet = await purse.issue("CreateSubnetTx", { owner: ownerOf(payer) }, { memo: utf8("first") })
  const chain = { subnetID: subnet.id, chainName: "Small Chain", vmID: idOfName("subnetevm"), fxIDs: [] }
  const blockchain = await purse.issue("CreateChainTx", { ...chain, genesisData: Uint8Array.of(1, 2, 3), ...authorized })
  const [member, formerMember] = [await addMember(act, subnet.id, 0, 42n), await addMember(act, subnet.id, 1, 13n)]
  const stakers = { keyless, oldDelegator, pending, pendingDelegator }
  return { txs: { ...stakers, subnet, blockchain, member, formerMember, ...(await openSubnet(act)) }, keyless: nodeID }
}

/** Adds a node of the local network as a validator of a subnet. */
export function addMember({ payer: purse, locals, node }: Scenario, subnetID: ID, index: number, weight: bigint) {
  const now = node.chain.privateChain!.now()
  const validator = { nodeID: locals[index]!, start: now + HOUR, end: START + 20n * DAY, weight, subnetID }
  return purse.issue("AddSubnetValidatorTx", { validator, ...authorized })
}

/** Makes a subnet on which any owner of COINs may stake. */
async function openSubnet(act: Scenario) {
  const { payer: purse, node, locals } = act
  const open = await purse.issue("CreateSubnetTx", { owner: ownerOf(payer) })
  const { xChainID: sourceChain } = node.chain.data.genesis
  const utxo = { txID: idOfByte(0x77), outputIndex: 0, ...purse.output(COINS, ownerOf(payer), {}, COIN) }
  await node.chain.privateChain!.turn((turn) => turn.applyOverrides([{ kind: "atomicUtxo", sourceChain, utxo }]))
  const input = { kind: "TransferInput" as const, amount: COINS, signatureIndices: [0] }
  const importedInputs = [{ txID: utxo.txID, outputIndex: 0, assetID: COIN, input }]
  const outputs = [purse.output(COINS, ownerOf(payer), {}, COIN)]
  const coins = await purse.issue("ImportTx", { sourceChain, importedInputs }, { outputs })
  const supplies = { initialSupply: COINS, maximumSupply: COINS + EARNABLE }
  const rates = { minConsumptionRate: 100_000n, maxConsumptionRate: 120_000n }
  const limits = { minValidatorStake: 10n, maxValidatorStake: 100_000n, minDelegatorStake: 1n, minDelegationFee: 20_000 }
  const times = { minStakeDuration: Number(DAY), maxStakeDuration: Number(365n * DAY) }
  const rest = { maxValidatorWeightFactor: 5, uptimeRequirement: 800_000, ...authorized }
  const fields = { subnetID: open.id, assetID: COIN, ...supplies, ...rates, ...limits, ...times, ...rest }
  const transformation = await purse.issue("TransformSubnetTx", fields, { coins: EARNABLE })
  const stake = { subnetID: open.id, nodeID: locals[2]!, start: START + HOUR, end: START + 100n * DAY }
  const openValidator = await addValidator(act, { ...stake, weight: 5_000n })
  const openDelegator = await addDelegator(act, { ...stake, start: START + 2n * HOUR, weight: 700n })
  return { open, coins, transformation, openValidator, openDelegator }
}
