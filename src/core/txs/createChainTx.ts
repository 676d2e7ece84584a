import { list } from "../codec/list.js"
import { base64Bytes, str } from "../codec/primitives.js"
import { authComplexity, BASE_SIZE, dimensions } from "../rules/complexity.js"
import { authoriseForPermissionedSubnet } from "../rules/subnets.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { tables } from "../state/tables.js"
import { EMPTY_ID, id } from "../types/id.js"
import { isStrictlyAscending } from "../types/owners.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

const MAX_NAME_SIZE = 128
const MAX_GENESIS_SIZE = 1 << 20

/** Creates a blockchain on a subnet. Its ID is this transaction's. */
export const createChainTx = defineTx({
  kind: "CreateChainTx",
  typeID: 15,
  fields: {
    ...baseFields,
    subnetID: id,
    chainName: str,
    vmID: id,
    fxIDs: list(id),
    genesisData: base64Bytes,
    subnetAuthorization: authPlace,
  },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "new blockchain can't be validated by primary network")
    if (tx.chainName.length > MAX_NAME_SIZE) throw txError("tx.chain_name_too_long", { size: tx.chainName.length })
    if (tx.vmID === EMPTY_ID) throw txError("tx.empty_vm")
    if (!isStrictlyAscending(tx.fxIDs)) throw txError("tx.fx_unsorted")
    if (tx.genesisData.length > MAX_GENESIS_SIZE) throw txError("tx.genesis_too_long", { size: tx.genesisData.length })
    if (!/^[A-Za-z0-9 ]*$/.test(tx.chainName)) throw txError("tx.chain_name_character")
    checkBase(tx, context)
    checkVerifiable(tx.subnetAuthorization, context)
  },

  intrinsic: dimensions(BASE_SIZE + 82, 3, 1),

  parts: (tx) => [
    dimensions(tx.chainName.length + 32 * tx.fxIDs.length + tx.genesisData.length),
    authComplexity(tx.subnetAuthorization),
  ],

  execute(tx, context) {
    const credentials = authoriseForPermissionedSubnet(context, tx.subnetID, tx.subnetAuthorization)
    requirePaid(context, tx, { credentials })
    context.diff.insert(tables.chains, context.txID, { subnetID: tx.subnetID, chainName: tx.chainName, vmID: tx.vmID })
  },
})
