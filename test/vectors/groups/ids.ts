import { nodeIDOfCertificate } from "../../../src/core/crypto/certificate.js"
import { idText, type NodeID, nodeIDText, parseID, parseNodeID } from "../../../src/core/types/id.js"
import { utxoID } from "../../../src/core/types/utxo.js"
import { initialValidationIDOf } from "../../../src/core/types/warp/pChainMessage.js"
import type { Group } from "../group.js"
import { bytesOf } from "../values.js"

/** ids.json: IDs, their text, and how they are made. */
export const ids: Group = {
  "node id"(entry, verdict) {
    const nodeID = parseNodeID(entry.node_id)
    verdict.equal("bytes", nodeID, entry.bytes)
    verdict.equal("node_id", nodeIDText(nodeID), entry.node_id)
  },
  "invalid node id"(entry, verdict) {
    verdict.refuses(`${entry.node_id} (${entry.error})`, () => parseNodeID(entry.node_id))
  },
  "node id from certificate"(entry, verdict) {
    const nodeID = nodeIDOfCertificate(bytesOf(entry.certificate_der)) as NodeID
    verdict.equal("bytes", nodeID, entry.bytes)
    verdict.equal("node_id", nodeIDText(nodeID), entry.node_id)
  },
  "utxo id"(entry, verdict) {
    const txID = parseID(entry.tx_id)
    verdict.equal("tx_id_hex", txID, entry.tx_id_hex)
    verdict.equal("utxo_id", idText(utxoID(txID, Number(entry.output_index))), entry.utxo_id)
  },
  "initial validator validation id"(entry, verdict) {
    const subnetID = parseID(entry.subnet_id)
    const validationID = initialValidationIDOf(subnetID, Number(entry.index))
    verdict.equal("subnet_id_hex", subnetID, entry.subnet_id_hex)
    verdict.equal("validation_id", idText(validationID), entry.validation_id)
    verdict.equal("validation_id_hex", validationID, entry.validation_id_hex)
  },
  ordering(entry, verdict) {
    const sorted = [...entry.sorted_hex].reverse().sort()
    verdict.equal("sorted_hex", sorted, entry.sorted_hex)
    if (entry.sorted_cb58 !== undefined) verdict.equal("sorted_cb58", sorted.map(idText), entry.sorted_cb58)
  },
}
