import { encode } from "../../core/codec/decode.js"
import { tables } from "../../core/state/tables.js"
import { type ID, idText } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { encodePayload } from "../../core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage } from "../../core/types/warp/pChainMessage.js"
import { producerError } from "../errors.js"
import { signMessage } from "../keys/warpSigner.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/**
 * Makes a message of an L1's validator manager to the P-Chain, signed by the validators of the manager's chain whose keys the node has.
 * Throws `producer.not_an_l1`, and `producer.*` or `rules.warp_weight` if too few can sign.
 */
export function managerMessage({ status }: ChainTurn, subnetID: ID, content: PChainMessage): Uint8Array {
  const { view, wrappers, rules } = status
  const conversion = view.get(tables.conversions, subnetID)
  if (!conversion) throw producerError("producer.not_an_l1", { subnetID: idText(subnetID) })
  const { networkID } = rules
  const { chainID: sourceChainID, address: sourceAddress } = conversion
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress, payload: encodePChainMessage(content) })
  const message = encode(unsignedMessage, { networkID, sourceChainID, payload })
  return signMessage(view, { message, pChainHeight: wrappers.contextHeight(), networkID })
}
