import { addAutoRenewedValidatorTx } from "./addAutoRenewedValidatorTx.js"
import { addDelegatorTx } from "./addDelegatorTx.js"
import { addPermissionlessDelegatorTx } from "./addPermissionlessDelegatorTx.js"
import { addPermissionlessValidatorTx } from "./addPermissionlessValidatorTx.js"
import { addSubnetValidatorTx } from "./addSubnetValidatorTx.js"
import { addValidatorTx } from "./addValidatorTx.js"
import { advanceTimeTx } from "./advanceTimeTx.js"
import { baseTx } from "./baseTx.js"
import { convertSubnetToL1Tx } from "./convertSubnetToL1Tx.js"
import { createChainTx } from "./createChainTx.js"
import { createSubnetTx } from "./createSubnetTx.js"
import { disableL1ValidatorTx } from "./disableL1ValidatorTx.js"
import { exportTx } from "./exportTx.js"
import { importTx } from "./importTx.js"
import { increaseL1ValidatorBalanceTx } from "./increaseL1ValidatorBalanceTx.js"
import { registerL1ValidatorTx } from "./registerL1ValidatorTx.js"
import { removeSubnetValidatorTx } from "./removeSubnetValidatorTx.js"
import { rewardAutoRenewedValidatorTx } from "./rewardAutoRenewedValidatorTx.js"
import { rewardValidatorTx } from "./rewardValidatorTx.js"
import { setAutoRenewedValidatorConfigTx } from "./setAutoRenewedValidatorConfigTx.js"
import { setL1ValidatorWeightTx } from "./setL1ValidatorWeightTx.js"
import { transferSubnetOwnershipTx } from "./transferSubnetOwnershipTx.js"
import { transformSubnetTx } from "./transformSubnetTx.js"

/** Every kind of transaction, by type ID. A new kind is one file and one line here. */
export const txTypes = [
  addValidatorTx,
  addSubnetValidatorTx,
  addDelegatorTx,
  createChainTx,
  createSubnetTx,
  importTx,
  exportTx,
  advanceTimeTx,
  rewardValidatorTx,
  removeSubnetValidatorTx,
  transformSubnetTx,
  addPermissionlessValidatorTx,
  addPermissionlessDelegatorTx,
  transferSubnetOwnershipTx,
  baseTx,
  convertSubnetToL1Tx,
  registerL1ValidatorTx,
  setL1ValidatorWeightTx,
  increaseL1ValidatorBalanceTx,
  disableL1ValidatorTx,
  addAutoRenewedValidatorTx,
  setAutoRenewedValidatorConfigTx,
  rewardAutoRenewedValidatorTx,
] as const
