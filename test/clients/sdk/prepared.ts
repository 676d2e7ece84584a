/** Every transaction that the SDK's wallet prepares for the P-Chain, and its effect. The SDK is not imported here. */
export const prepared = {
  prepareBaseTxn: "pays to two addresses together",
  prepareCreateSubnetTxn: "creates a subnet, which its owner controls",
  prepareCreateChainTxn: "creates a chain on a subnet",
  prepareAddPermissionlessValidatorTxn: "stakes on a node, which becomes a validator",
  prepareAddPermissionlessDelegatorTxn: "delegates to that validator",
  prepareAddSubnetValidatorTxn: "adds that validator to a permissioned subnet, whose owner the SDK looks up",
  prepareRemoveSubnetValidatorTxn: "removes it from the subnet",
  prepareConvertSubnetToL1Txn: "converts a subnet to an L1",
  prepareRegisterL1ValidatorTxn: "registers another validator by a Warp message",
  prepareSetL1ValidatorWeightTxn: "changes its weight by another Warp message",
  prepareIncreaseL1ValidatorBalanceTxn: "adds to its balance",
  prepareDisableL1ValidatorTxn: "disables a validator, whose owner the SDK looks up",
  prepareExportTxn: "is refused by the SDK itself, which knows only the chains of Mainnet and Fuji",
  prepareImportTxn: "is refused by the SDK itself for the same reason",
} as const

export type PreparedTx = keyof typeof prepared
