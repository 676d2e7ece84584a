/** Plain name of a kind of transaction, and a description of its effect. */
export interface KindText {
  readonly name: string
  readonly does: string
}

const txKinds: Readonly<Record<string, KindText>> = {
  BaseTx: { name: "Payment", does: "moves AVAX between addresses of the P-Chain" },
  AddValidatorTx: { name: "Add validator", does: "stakes AVAX to validate the primary network (old form)" },
  AddDelegatorTx: { name: "Delegate", does: "adds stake to a validator of the primary network (old form)" },
  AddPermissionlessValidatorTx: { name: "Add validator", does: "stakes to validate a network" },
  AddPermissionlessDelegatorTx: { name: "Delegate", does: "adds stake to a validator" },
  AddAutoRenewedValidatorTx: { name: "Add auto-renewed validator", does: "stakes once; the validator renews itself each cycle" },
  SetAutoRenewedValidatorConfigTx: {
    name: "Configure validator",
    does: "changes the configuration of an auto-renewed validator",
  },
  RewardValidatorTx: { name: "End of stake", does: "returns a stake and pays its reward" },
  RewardAutoRenewedValidatorTx: { name: "End of cycle", does: "pays the reward of a cycle of an auto-renewed validator" },
  AdvanceTimeTx: { name: "Advance time", does: "moved the chain's time before Banff" },
  AddSubnetValidatorTx: { name: "Add subnet validator", does: "lets a validator validate a permissioned subnet" },
  RemoveSubnetValidatorTx: { name: "Remove subnet validator", does: "takes a validator off a permissioned subnet" },
  CreateSubnetTx: { name: "Create subnet", does: "makes a subnet and names its owner" },
  TransferSubnetOwnershipTx: { name: "Transfer subnet", does: "gives a subnet to another owner" },
  TransformSubnetTx: { name: "Transform subnet", does: "opened a subnet to stakers of its own asset" },
  CreateChainTx: { name: "Create chain", does: "makes a blockchain on a subnet" },
  ImportTx: { name: "Import", does: "brings in what another chain exported" },
  ExportTx: { name: "Export", does: "sends funds to another chain" },
  ConvertSubnetToL1Tx: { name: "Convert to L1", does: "turns a subnet into an L1 with its own validator manager" },
  RegisterL1ValidatorTx: {
    name: "Register L1 validator",
    does: "adds a validator that the L1's manager named in a Warp message",
  },
  SetL1ValidatorWeightTx: { name: "Set L1 weight", does: "changes or removes an L1 validator by a Warp message" },
  IncreaseL1ValidatorBalanceTx: {
    name: "Top up L1 validator",
    does: "adds to the balance that an L1 validator's fee is paid from",
  },
  DisableL1ValidatorTx: { name: "Disable L1 validator", does: "stops an L1 validator and returns its balance" },
}

/** Returns the words for a kind of transaction. Kinds without an entry keep their own name. */
export function txKind(kind: string): KindText {
  return txKinds[kind] ?? { name: kind.replace(/Tx$/, ""), does: "" }
}

const blockKinds: readonly (readonly [part: string, name: string])[] = [
  ["Proposal", "Proposal"],
  ["Commit", "Commit"],
  ["Abort", "Abort"],
  ["Atomic", "Atomic"],
  ["Standard", "Standard"],
]

/** The words for a kind of block: `BanffStandardBlock` is `Standard`. */
export function blockKind(kind: string): string {
  return blockKinds.find(([part]) => kind.includes(part))?.[1] ?? kind
}
