import type { PChainMessage } from "../../../src/core/types/warp/pChainMessage.js"
import { reconfigures, renews } from "./autoRenewed.js"
import type { Maker } from "./compose.js"
import { converts, disables, registersWith, reweighs, topsUp } from "./l1.js"
import { exports, imports, pays } from "./spending.js"
import { delegates, delegatesOpen, validates, validatesOpen } from "./staking.js"
import { addsSubnetValidator, createsChain, createsSubnet, handsOver, opensSubnet, removesSubnetValidator } from "./subnets.js"

/** Makers of transactions; those whose transactions are seldom valid are listed more often. */
export function allMakers(): readonly Maker[] {
  const earlier: PChainMessage[] = []
  const registers = registersWith(earlier)
  return [
    ...[pays, pays, exports, imports, imports],
    ...[createsSubnet, createsSubnet, createsChain, handsOver, opensSubnet],
    ...[addsSubnetValidator, addsSubnetValidator, removesSubnetValidator],
    ...[validates, validates, delegates, delegates, validatesOpen, validatesOpen, delegatesOpen, delegatesOpen],
    ...[renews, renews, renews, reconfigures, reconfigures],
    ...[converts, registers, registers, registers, reweighs, reweighs, reweighs, topsUp, topsUp, disables],
  ]
}

/** Kinds that were proposals before Banff, and kinds that were never allowed. */
export const proposedMakers: readonly Maker[] = [validates, delegates, addsSubnetValidator, pays, exports]

/** Makers of transactions that had separate blocks before Apricot Phase 5, and of those that never had. */
export const atomicMakers: readonly Maker[] = [imports, exports, createsSubnet]
