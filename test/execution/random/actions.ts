import type { Action } from "./attempt.js"
import { reconfigures, renews } from "./autoRenewedActions.js"
import { exports, imports, pays } from "./moneyActions.js"
import { delegates, delegatesOnSubnet, validates, validatesSubnet } from "./stakingActions.js"
import {
  addsSubnetValidator,
  createsChain,
  createsSubnet,
  handsSubnetOver,
  opensSubnet,
  removesSubnetValidator,
} from "./subnetActions.js"

/** Actions that are possible on a chain of any era. */
export const commonActions: readonly Action[] = [
  pays,
  createsSubnet,
  handsSubnetOver,
  createsChain,
  addsSubnetValidator,
  addsSubnetValidator,
  removesSubnetValidator,
  validates,
  validates,
  renews,
  renews,
  reconfigures,
  delegates,
  delegates,
  opensSubnet,
  validatesSubnet,
  validatesSubnet,
  delegatesOnSubnet,
  delegatesOnSubnet,
  exports,
  imports,
]
