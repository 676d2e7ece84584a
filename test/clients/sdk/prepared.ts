/** Every transaction that the SDK's wallet prepares for the P-Chain, and its effect. The SDK is not imported here. */
export const prepared = {
  prepareBaseTxn: "pays two together",
  prepareCreateSubnetTxn: "creates a subnet, which its owner controls",
  prepareCreateChainTxn: "creates a chain on a subnet",
  prepareAddPermissionlessValidatorTxn: "stakes on a node, which becomes a validator",
  prepareAddPermissionlessDelegatorTxn: "delegates to it",
  prepareAddSubnetValidatorTxn: "adds it to a permissioned subnet, whose owner the SDK finds by itself",
  prepareRemoveSubnetValidatorTxn: "takes it out again",
  prepareConvertSubnetToL1Txn: "converts a subnet to an L1",
  prepareRegisterL1ValidatorTxn: "registers another validator by a Warp message",
  prepareSetL1ValidatorWeightTxn: "changes its weight by another",
  prepareIncreaseL1ValidatorBalanceTxn: "adds to its balance",
  prepareDisableL1ValidatorTxn: "disables a validator, whose owner the SDK finds by itself",
  prepareExportTxn: "is refused by the SDK itself, which knows the chains of Mainnet and Fuji alone",
  prepareImportTxn: "is refused by the SDK itself likewise",
} as const

export type Prepared = keyof typeof prepared
