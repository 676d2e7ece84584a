import { openWarpMessage } from "../rules/warp.js"
import { initialValidationIDOf, registrationIDOf } from "../types/warp/pChainMessage.js"
import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records which transaction created each L1 validator, subnet and chain, and their order. The state itself does not have it. */
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
