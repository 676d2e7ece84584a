import { decode } from "../../core/codec/decode.js"
import { fromHex } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { P_CHAIN_ID, parseNodeID } from "../../core/types/id.js"
import { unsignedMessage as unsignedMessageCodec } from "../../core/types/warp/message.js"
import { described, list, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id } from "../../services/kinds.js"
import { producerError } from "../errors.js"
import { type SignRequest, signMessage } from "../keys/warpSigner.js"
import type { PrivateChain } from "../privateChain.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { hexParam } from "./params.js"

/** Why a message is unchecked. */
const UNJUSTIFIED = "the call has no justification, so nobody checked whether this message of the P-Chain is true"
const UNASKED = "the VM of the source chain does not run here, so nobody was asked whether the chain has sent this message"

export const signWarpMessage = devMethod({
  name: "dev.signWarpMessage",
  summary:
    "Signs a Warp message as the validators of a subnet would at the P-Chain height of the next block. It signs with the keys of the five local validators, the keys from `dev.addValidators` and `dev.newIdentity`, or the given secrets. A message of an L1 whose VM runs here is signed only if the VM signs it.",
  params: object({
    unsignedMessage: described(string, "The unsigned message as hex with `0x`."),
    subnetID: described(
      optional(id),
      "The ID of the subnet whose validators sign. The default is the subnet of the message's source chain, and for a message of the P-Chain about an L1 that of the chain with its validator manager: this L1, or the primary network for a manager on the C-Chain.",
    ),
    signers: described(
      optional(list(string)),
      "Node IDs, or BLS secrets as hex. The default is every validator whose key the node has.",
    ),
    quorum: described(withDefault(u32, 67), "The percentage of the weight that must sign, from 1 to 100."),
    pChainHeight: described(
      optional(u64),
      "The height whose validators sign. The default is the P-Chain height of the next block.",
    ),
    justification: described(
      optional(string),
      "The justification of ACP-118 as hex with `0x`. If it is given, a message of the P-Chain is signed only if it is true.",
    ),
  }),
  result: object({
    signedMessage: described(hex, "The signed message without a checksum."),
    unchecked: optional(
      described(
        string,
        "Why nobody checked the message, if that is so: the VM of its chain does not run here, or a message of the P-Chain has no justification.",
      ),
    ),
  }),
  examples: [
    {
      params: {
        unsignedMessage:
          "0x000000003039000000000000000000000000000000000000000000000000000000000000000000000026000000000000abababababababababababababababababababababababababababababababab",
      },
      result: {
        signedMessage:
          "0x000000003039000000000000000000000000000000000000000000000000000000000000000000000026000000000000abababababababababababababababababababababababababababababababab00000000000000013fa87c42a09406b0882ca9a1d258a069081ebcc735eb45bcfd93ae5f885fa2b9db6887bb74554907eac4de4c14777bec140dc0d920e2fba477a773ba8b8af55647fd9318411dc60669057b6a05a7bc5758269505b6071ed205ffbe134cb6b689f4",
        unchecked: UNJUSTIFIED,
      },
    },
  ],

  async handler({ unsignedMessage, subnetID, signers, quorum, pChainHeight, justification: text }, { chain, l1s }) {
    const message = hexParam("unsignedMessage", unsignedMessage)
    if (quorum < 1 || quorum > 100) throw devError("dev.bad_quorum", { quorum })
    const bytes = text === undefined ? undefined : hexParam("justification", text)
    const source = decode(unsignedMessageCodec, message).sourceChainID
    const isOfPChain = source === P_CHAIN_ID
    const isAsked = !isOfPChain && (await l1s?.requireSigned(source, message, bytes ?? new Uint8Array(0))) === true
    const isChecked = isOfPChain ? bytes !== undefined : isAsked
    const wanted = { message, subnetID, signers: signers?.map(signerOf), quorum, pChainHeight }
    const signedMessage = signAt(chain, { ...wanted, justification: bytes && (await justified(bytes)) })
    return { signedMessage, ...(isChecked ? {} : { unchecked: isOfPChain ? UNJUSTIFIED : UNASKED }) }
  },
})

/** Loads the check of justifications on use. Its protobuf would add a tenth of a second to every start, and few calls need it. */
async function justified(bytes: Uint8Array) {
  const { checkMaySign, l1OfJustification } = await import("../../core/rules/warpSigning.js")
  return { bytes, checkMaySign, l1OfJustification }
}

function signerOf(text: string) {
  if (!text.startsWith("NodeID-")) {
    const secret = fromHex(text.startsWith("0x") ? text.slice(2) : text)
    if (secret?.length !== 32) throw devError("dev.bad_signer", { signer: text.slice(0, 16) })
    return { secret }
  }
  try {
    return { nodeID: parseNodeID(text) }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw devError("dev.bad_signer", { signer: text, reason: error.sentence })
  }
}

/** A Warp message to sign. By default the validators at the P-Chain height of the next block sign. */
export interface WarpSigningRequest extends Omit<SignRequest, "networkID" | "pChainHeight"> {
  readonly pChainHeight?: bigint | undefined
}

/** Signs a Warp message. Throws `producer.height_too_large`, and the errors of `signMessage`. */
export function signAt({ status }: PrivateChain, { pChainHeight: given, ...request }: WarpSigningRequest): Uint8Array {
  const { view, wrappers, rules, lastAccepted } = status
  const pChainHeight = given ?? wrappers.contextHeight()
  if (pChainHeight > lastAccepted.height) {
    throw producerError("producer.height_too_large", { height: pChainHeight, lastAccepted: lastAccepted.height })
  }
  return signMessage(view, { ...request, pChainHeight, networkID: rules.networkID })
}
