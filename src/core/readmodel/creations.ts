import { openWarpMessage } from "../rules/warp.js"
import { initialValidationIDOf, registrationIDOf } from "../types/warp/pChainMessage.js"
import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Which transaction made what, and in which order: L1 validators, subnets, chains. The state itself does not remember. */
export const creations: Projection = {
  name: "creations",
  tables: [readTables.l1ValidatorTxs, readTables.subnetsInOrder, readTables.chainsInOrder],

  onBlock({ diff }, { height, txs }) {
    for (const { tx, index } of txs) {
      const { unsignedTx, id: txID } = tx
      switch (unsignedTx.kind) {
        case "CreateSubnetTx":
          diff.put(readTables.subnetsInOrder, { height, index }, txID)
          break
        case "CreateChainTx":
          diff.put(readTables.chainsInOrder, { subnetID: unsignedTx.subnetID, height, index }, txID)
          break
        case "ConvertSubnetToL1Tx":
          for (let i = 0; i < unsignedTx.validators.length; i++) {
            diff.put(readTables.l1ValidatorTxs, initialValidationIDOf(unsignedTx.subnetID, i), txID)
          }
          break
        case "RegisterL1ValidatorTx": {
          const { message } = openWarpMessage(unsignedTx.message, "RegisterL1Validator")
          diff.put(readTables.l1ValidatorTxs, registrationIDOf(message), txID)
        }
      }
    }
  },
}
