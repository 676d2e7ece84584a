import type { TxKind } from "../../../src/core/txs/unsignedTx.js"
import { addAutoRenewedValidatorTx, rewardAutoRenewedValidatorTx, setAutoRenewedValidatorConfigTx } from "./autoRenewed.js"
import { disableL1ValidatorTx, increaseL1ValidatorBalanceTx, registerL1ValidatorTx, setL1ValidatorWeightTx } from "./l1.js"
import { advanceTimeTx, rewardValidatorTx } from "./proposals.js"
import { baseTx, createSubnetTx, exportTx, importTx } from "./spending.js"
import {
  addDelegatorTx,
  addPermissionlessDelegatorTx,
  addPermissionlessValidatorTx,
  addValidatorTx,
  openSubnetValidator,
} from "./staking.js"
import {
  addSubnetValidatorTx,
  convertSubnetToL1Tx,
  createChainTx,
  removeSubnetValidatorTx,
  transferSubnetOwnershipTx,
  transformSubnetTx,
} from "./subnets.js"
import type { Variants } from "./variant.js"

/** For every kind of transaction, the ways in which its own fields can be wrong. */
export const variants: { readonly [K in TxKind]: Variants<K> } = {
  AddValidatorTx: addValidatorTx,
  AddSubnetValidatorTx: addSubnetValidatorTx,
  AddDelegatorTx: addDelegatorTx,
  CreateChainTx: createChainTx,
  CreateSubnetTx: createSubnetTx,
  ImportTx: importTx,
  ExportTx: exportTx,
  AdvanceTimeTx: advanceTimeTx,
  RewardValidatorTx: rewardValidatorTx,
  RemoveSubnetValidatorTx: removeSubnetValidatorTx,
  TransformSubnetTx: transformSubnetTx,
  AddPermissionlessValidatorTx: [...addPermissionlessValidatorTx, ...openSubnetValidator],
  AddPermissionlessDelegatorTx: addPermissionlessDelegatorTx,
  TransferSubnetOwnershipTx: transferSubnetOwnershipTx,
  BaseTx: baseTx,
  ConvertSubnetToL1Tx: convertSubnetToL1Tx,
  RegisterL1ValidatorTx: registerL1ValidatorTx,
  SetL1ValidatorWeightTx: setL1ValidatorWeightTx,
  IncreaseL1ValidatorBalanceTx: increaseL1ValidatorBalanceTx,
  DisableL1ValidatorTx: disableL1ValidatorTx,
  AddAutoRenewedValidatorTx: addAutoRenewedValidatorTx,
  SetAutoRenewedValidatorConfigTx: setAutoRenewedValidatorConfigTx,
  RewardAutoRenewedValidatorTx: rewardAutoRenewedValidatorTx,
}
