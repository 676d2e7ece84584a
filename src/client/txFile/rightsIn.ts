import { type Address, addressText } from "../../core/types/address.js"
import type { UserTx } from "./unsigned.js"

/** A right that a transaction gives to owners. */
export interface GivenRight {
  readonly right: string
  readonly addresses: readonly string[]
  readonly threshold: number
}

interface OwnersIn {
  readonly threshold: number
  readonly addresses: readonly Address[]
}

/** The members with owners, and what the owners get. */
const RIGHTS: Readonly<Record<string, string>> = {
  rewardsOwner: "the reward",
  validationRewardsOwner: "the reward for validating",
  delegationRewardsOwner: "the share of delegators' rewards",
  validatorAuthority: "the right to change the validator",
  owner: "the subnet",
  newOwner: "the subnet",
  remainingBalanceOwner: "the balance that remains of an L1 validator",
  deactivationOwner: "the right to deactivate an L1 validator",
}

/** Returns the rights that a transaction gives to owners: rewards, validators, subnets. */
export function rightsIn(tx: UserTx, hrp: string): readonly GivenRight[] {
  const validators = tx.kind === "ConvertSubnetToL1Tx" ? tx.validators : []
  return [tx, ...validators].flatMap((part) =>
    Object.entries(part).flatMap(([name, value]) => {
      const right = RIGHTS[name]
      if (right === undefined) return []
      const { addresses, threshold } = value as OwnersIn
      return [{ right, addresses: addresses.map((address) => addressText(address, hrp)), threshold }]
    }),
  )
}
