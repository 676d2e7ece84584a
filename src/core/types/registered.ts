import type { GoInterface } from "../codec/oneOf.js"

/** AvalancheGo's names of the types with a type ID, for its messages about a type in the wrong place. */
export const names: Readonly<Record<number, string>> = {
  5: "*secp256k1fx.TransferInput",
  7: "*secp256k1fx.TransferOutput",
  9: "*secp256k1fx.Credential",
  10: "*secp256k1fx.Input",
  11: "*secp256k1fx.OutputOwners",
  12: "*txs.AddValidatorTx",
  13: "*txs.AddSubnetValidatorTx",
  14: "*txs.AddDelegatorTx",
  15: "*txs.CreateChainTx",
  16: "*txs.CreateSubnetTx",
  17: "*txs.ImportTx",
  18: "*txs.ExportTx",
  19: "*txs.AdvanceTimeTx",
  20: "*txs.RewardValidatorTx",
  21: "*stakeable.LockIn",
  22: "*stakeable.LockOut",
  23: "*txs.RemoveSubnetValidatorTx",
  24: "*txs.TransformSubnetTx",
  25: "*txs.AddPermissionlessValidatorTx",
  26: "*txs.AddPermissionlessDelegatorTx",
  27: "*signer.Empty",
  28: "*signer.ProofOfPossession",
  33: "*txs.TransferSubnetOwnershipTx",
  34: "*txs.BaseTx",
  35: "*txs.ConvertSubnetToL1Tx",
  36: "*txs.RegisterL1ValidatorTx",
  37: "*txs.SetL1ValidatorWeightTx",
  38: "*txs.IncreaseL1ValidatorBalanceTx",
  39: "*txs.DisableL1ValidatorTx",
  40: "*txs.AddAutoRenewedValidatorTx",
  41: "*txs.SetAutoRenewedValidatorConfigTx",
  42: "*txs.RewardAutoRenewedValidatorTx",
}

/** The block codec also knows the blocks, and so refuses them by name inside a block. */
const blockNames: Readonly<Record<number, string>> = {
  0: "*block.ApricotProposalBlock",
  1: "*block.ApricotAbortBlock",
  2: "*block.ApricotCommitBlock",
  3: "*block.ApricotStandardBlock",
  4: "*block.ApricotAtomicBlock",
  29: "*block.BanffProposalBlock",
  30: "*block.BanffAbortBlock",
  31: "*block.BanffCommitBlock",
  32: "*block.BanffStandardBlock",
}

/** Describes a place in a transaction, by AvalancheGo's name of the interface there. */
export const goInterface = (name: string, more: Pick<GoInterface, "nestsAlso"> = {}): GoInterface => ({
  interface: name,
  registered: names,
  outermost: blockNames,
  ...more,
})
