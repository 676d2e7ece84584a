import { decode, encode } from "../../core/codec/decode.js"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { tables } from "../../core/state/tables.js"
import { type ID, P_CHAIN_ID } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { decodePayload, encodePayload } from "../../core/types/warp/payload.js"
import {
  decodePChainMessage,
  encodePChainMessage,
  type L1ValidatorWeight,
  type PChainMessage,
  type RegisterL1Validator,
  registrationIDOf,
} from "../../core/types/warp/pChainMessage.js"
import { bls } from "../../platform/backends.js"
import { producerError } from "../errors.js"
import type { Payment } from "../funds/payment.js"
import { secretOf } from "../keys/identities.js"
import { signersAbout, signMessage } from "../keys/warpSigner.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { putIntoBlocks } from "./putIntoBlock.js"

/** A message of a validator manager to the P-Chain. */
export interface L1MessageRequest {
  /** The bytes of the unsigned message. */
  readonly message: Uint8Array
  /** The balance of a new validator, nAVAX. */
  readonly balance: bigint
  /** The proof of possession of a new validator's key; omitted if the node holds the key. */
  readonly proofOfPossession?: Uint8Array | undefined
}

/** A message that was carried out. */
export interface IssuedL1Message {
  readonly kind: "RegisterL1Validator" | "L1ValidatorWeight"
  readonly validationID: ID
  readonly txID: ID
  /** The P-Chain's signed answer to the manager; `undefined` if too few of the L1's keys are here. */
  readonly answer: Uint8Array | undefined
  /** The seconds by which the clock was moved until gas was available. */
  readonly seconds: bigint
}

/**
 * Carries out a message that a validator manager has sent: signs it with the validators of its chain, issues the transaction, which the
 * treasury pays, and signs the P-Chain's answer. Throws `producer.not_a_manager_message` and `producer.no_possession`.
 */
export async function issueL1Message(chain: ChainTurn, request: L1MessageRequest): Promise<IssuedL1Message> {
  await chain.catchUp()
  const { view, wrappers, rules } = chain.status
  const content = contentOf(request.message)
  const message = signMessage(view, {
    message: request.message,
    pChainHeight: wrappers.contextHeight(),
    networkID: rules.networkID,
  })
  const validationID = content.kind === "RegisterL1Validator" ? registrationIDOf(content) : content.validationID
  const subnetID =
    content.kind === "RegisterL1Validator" ? content.subnetID : view.get(tables.l1Validators, validationID)?.subnetID
  const purse = chain.treasury.purse(chain.written(), chain.now())
  const tx = purse.pay(paymentOf(chain, content, message, request), chain.treasury.price(chain.now()))
  const seconds = await putIntoBlocks(chain, [tx])
  const answer = valueOrUndefined(() => signAnswer(chain, subnetID, answerTo(content, validationID)))
  return { kind: content.kind, validationID, txID: tx.id, answer, seconds }
}

function paymentOf(
  { status: { view } }: ChainTurn,
  content: RegisterL1Validator | L1ValidatorWeight,
  message: Uint8Array,
  { balance, proofOfPossession: given }: L1MessageRequest,
): Payment {
  if (content.kind === "L1ValidatorWeight") {
    return { amount: 0n, make: (parts) => ({ kind: "SetL1ValidatorWeightTx", ...parts, message }) }
  }
  const secret = secretOf(view, content.blsPublicKey)
  const proofOfPossession = given ?? (secret && bls().signPossession(secret))
  if (!proofOfPossession) throw producerError("producer.no_possession")
  return { amount: balance, make: (parts) => ({ kind: "RegisterL1ValidatorTx", ...parts, balance, proofOfPossession, message }) }
}

/** Reads what a validator manager wants of the P-Chain. */
function contentOf(message: Uint8Array): RegisterL1Validator | L1ValidatorWeight {
  const content = valueOrUndefined(() => {
    const payload = decodePayload(decode(unsignedMessage, message).payload)
    return payload.kind === "AddressedCall" ? decodePChainMessage(payload.payload) : undefined
  })
  if (content?.kind === "RegisterL1Validator" || content?.kind === "L1ValidatorWeight") return content
  throw producerError("producer.not_a_manager_message", content ? { kind: content.kind } : {})
}

/** Returns what the P-Chain says once a message is carried out. A validator that was removed can never be registered again. */
function answerTo(content: RegisterL1Validator | L1ValidatorWeight, validationID: ID): PChainMessage {
  if (content.kind === "L1ValidatorWeight" && content.weight > 0n) return content
  return { kind: "L1ValidatorRegistration", validationID, registered: content.weight > 0n }
}

function signAnswer({ status: { view, wrappers, rules } }: ChainTurn, l1: ID | undefined, content: PChainMessage) {
  const { networkID } = rules
  const subnetID = l1 && signersAbout(view, l1)
  const payload = encodePayload({
    kind: "AddressedCall",
    sourceAddress: new Uint8Array(0),
    payload: encodePChainMessage(content),
  })
  const message = encode(unsignedMessage, { networkID, sourceChainID: P_CHAIN_ID, payload })
  return signMessage(view, { message, subnetID, pChainHeight: wrappers.contextHeight(), networkID })
}
