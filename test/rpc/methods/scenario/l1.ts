import { encode } from "../../../../src/core/codec/decode.js"
import { hexToBytes, toHex } from "../../../../src/core/lib/bytes.js"
import { AVAX } from "../../../../src/core/networks/params.js"
import { type ID, idOfName } from "../../../../src/core/types/id.js"
import { unsignedMessage } from "../../../../src/core/types/warp/message.js"
import { encodePayload } from "../../../../src/core/types/warp/payload.js"
import {
  encodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "../../../../src/core/types/warp/pChainMessage.js"
import type { DevIdentity } from "../../../../src/producer/keys/identities.js"
import { ownerOf, payer } from "../payer.js"
import { HOUR } from "../when.js"
import { addMember } from "./cortina.js"
import { authorized, friend, type Scenario } from "./scenario.js"

const MANAGER = hexToBytes("c0ffee")

const owners = {
  remainingBalanceOwner: { threshold: 1, addresses: [friend] },
  deactivationOwner: { threshold: 1, addresses: [payer] },
}

/**
 * Converts a subnet with a permissioned validator to an L1 of three validators. One is disabled, one is removed, and a fourth is
 * registered.
 */
export async function l1(act: Scenario) {
  const { payer: purse } = act
  const l1 = await purse.issue("CreateSubnetTx", { owner: ownerOf(payer) })
  const chain = { subnetID: l1.id, chainName: "Manager", vmID: idOfName("subnetevm"), fxIDs: [], genesisData: new Uint8Array(0) }
  const manager = await purse.issue("CreateChainTx", { ...chain, ...authorized })
  const leftover = await addMember(act, l1.id, 0, 8n)
  const nodes = [await act.newNode(), await act.newNode(), await act.newNode()].sort((a, b) => (a.nodeID < b.nodeID ? -1 : 1))
  const validators = nodes.map(({ nodeID, publicKey, proofOfPossession }, i) => ({
    ...{ nodeID: hexToBytes(nodeID), weight: [100n, 50n, 30n][i]!, balance: [2n, 1n, 1n][i]! * AVAX },
    ...{ signer: { publicKey, proofOfPossession }, ...owners },
  }))
  const fields = { subnetID: l1.id, chainID: manager.id, address: MANAGER, validators, ...authorized }
  const conversion = await purse.issue("ConvertSubnetToL1Tx", fields, { amount: 4n * AVAX })
  const validations = validators.map((_, i) => initialValidationIDOf(l1.id, i)) as [ID, ID, ID]
  const made = { l1, manager, leftover, conversion }
  const changed = await changes(act, { l1: l1.id, manager: manager.id, validations })
  const members = [...nodes, changed.node]
  return { txs: { ...made, ...changed.txs }, validations: [...validations, changed.validationID], members }
}

interface L1 {
  readonly l1: ID
  readonly manager: ID
  readonly validations: readonly [ID, ID, ID]
}

async function changes(act: Scenario, { l1: subnetID, manager, validations }: L1) {
  const { payer: purse } = act
  const [active, disabled, removed] = validations
  const node = await act.newNode()
  const message = registrationOf(act, subnetID, node)
  const validationID = registrationIDOf(message)
  const signedMessage = (message: PChainMessage) => signed(act, manager, message)
  const { proofOfPossession } = node
  const registering = { balance: AVAX, proofOfPossession, message: await signedMessage(message) }
  const registration = await purse.issue("RegisterL1ValidatorTx", registering, { amount: AVAX })
  const weighing = await signedMessage({ kind: "L1ValidatorWeight", validationID, nonce: 4n, weight: 7n })
  const weightChange = await purse.issue("SetL1ValidatorWeightTx", { message: weighing })
  const ending = await signedMessage({ kind: "L1ValidatorWeight", validationID: removed, nonce: 0n, weight: 0n })
  const removal = await purse.issue("SetL1ValidatorWeightTx", { message: ending })
  const topUp = await purse.issue("IncreaseL1ValidatorBalanceTx", { validationID: active, balance: AVAX }, { amount: AVAX })
  const disableAuthorization = { kind: "Input" as const, signatureIndices: [0] }
  const disabling = await purse.issue("DisableL1ValidatorTx", { validationID: disabled, disableAuthorization })
  return { txs: { registration, weightChange, removal, topUp, disabling }, validationID, node }
}

function registrationOf({ node }: Scenario, subnetID: ID, { nodeID, publicKey }: DevIdentity) {
  const { remainingBalanceOwner, deactivationOwner: disableOwner } = owners
  const expiry = node.chain.privateChain!.now() + HOUR
  const of = { subnetID, nodeID: hexToBytes(nodeID), blsPublicKey: publicKey, expiry, weight: 5n }
  return { kind: "RegisterL1Validator" as const, ...of, remainingBalanceOwner, disableOwner }
}

/** A message of the L1's manager, signed by the L1's validators. */
async function signed({ node }: Scenario, sourceChainID: ID, message: PChainMessage): Promise<Uint8Array> {
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: MANAGER, payload: encodePChainMessage(message) })
  const { networkID } = node.chain.data.rules
  const unsigned = encode(unsignedMessage, { networkID, sourceChainID, payload })
  const { signedMessage } = await node.call<{ signedMessage: string }>("dev.signWarpMessage", {
    unsignedMessage: `0x${toHex(unsigned)}`,
  })
  return hexToBytes(signedMessage.slice(2))
}
