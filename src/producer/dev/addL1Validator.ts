import { hexToBytes } from "../../core/lib/bytes.js"
import { max } from "../../core/lib/math64.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { Address } from "../../core/types/address.js"
import type { ID, NodeID } from "../../core/types/id.js"
import { type RegisterL1Validator, registrationIDOf } from "../../core/types/warp/pChainMessage.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { managerMessage } from "./managerMessage.js"
import { newIdentities, withKeysOf } from "./newIdentities.js"
import { putIntoBlocks } from "./putIntoBlock.js"

/** The seconds until a registration expires. The P-Chain allows at most a day. */
const EXPIRES_IN = 3_600n

/** The public keys of a node. */
export interface NodeKeys {
  readonly nodeID: NodeID
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
}

/** A validator to register with an L1. */
export interface L1ValidatorRequest {
  readonly subnetID: ID
  readonly weight: bigint
  /** The balance from which it pays its fees, nAVAX. */
  readonly balance: bigint
  /** The owner of the remaining balance, who may disable the validator; the treasury's key by default. */
  readonly owner?: Address | undefined
  /** The keys of the node; by default a new identity, whose keys are stored. */
  readonly node: NodeKeys | undefined
}

/** A validator that was registered. */
export interface NewL1Validator {
  readonly validationID: ID
  readonly txID: ID
  readonly nodeID: NodeID
  readonly publicKey: Uint8Array
  /** The BLS secret, if a new identity was made. */
  readonly secret: Uint8Array | undefined
  /** The seconds by which the clock was moved until gas was available. */
  readonly seconds: bigint
}

/** Registers a validator with an L1: signs the message of its manager, and issues the transaction, which the treasury pays. */
export async function addL1Validator(chain: ChainTurn, wanted: L1ValidatorRequest): Promise<NewL1Validator> {
  await chain.catchUp()
  const purse = chain.treasury.purse(chain.written(), chain.now())
  const [identity] = wanted.node ? [] : await newIdentities(chain, 1)
  const { nodeID, publicKey, proofOfPossession } = (wanted.node ?? identity) as NodeKeys
  const owner = { threshold: 1, addresses: [wanted.owner ?? purse.key.address] }
  const registration: RegisterL1Validator = {
    kind: "RegisterL1Validator",
    subnetID: wanted.subnetID,
    nodeID: hexToBytes(nodeID),
    blsPublicKey: publicKey,
    expiry: max(chain.now(), chainTimeOf(chain.status.view)) + EXPIRES_IN,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: wanted.weight,
  }
  const { balance } = wanted
  const fields = { balance, proofOfPossession, message: managerMessage(chain, wanted.subnetID, registration) }
  const price = chain.treasury.price(chain.now())
  const tx = purse.pay({ amount: balance, make: (parts) => ({ kind: "RegisterL1ValidatorTx", ...parts, ...fields }) }, price)
  const seconds = await withKeysOf(chain, identity ? [identity] : [], () => putIntoBlocks(chain, [tx]))
  const validationID = registrationIDOf(registration)
  return { validationID, txID: tx.id, nodeID, publicKey, secret: identity?.secret, seconds }
}
