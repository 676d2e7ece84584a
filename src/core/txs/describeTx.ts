import { avaxText } from "../lib/avaxText.js"
import { toHex } from "../lib/bytes.js"
import { durationText } from "../lib/dataUnits.js"
import { printRfc3339 } from "../lib/go/rfc3339.js"
import { type Address, addressText } from "../types/address.js"
import { type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import { innerOutput, type TransferableOutput } from "../types/output.js"
import type { UnsignedTx } from "./unsignedTx.js"

/** Facts that the description of a transaction uses. */
export interface DescribeOptions {
  /** The prefix of addresses: `avax`, `local`. */
  readonly hrp: string
  readonly avaxAssetID: ID
}

/** Describes the effect of a transaction in a few words for a person: `5 AVAX to P-local18jm…3u5v`. Long IDs are shortened. */
export function describeTx(tx: UnsignedTx, options: DescribeOptions): string {
  switch (tx.kind) {
    case "BaseTx":
      return paymentText(tx.outputs, options)
    case "ExportTx":
      return `${paymentText(tx.exportedOutputs, options)}, exported to chain ${abbreviatedID(tx.destinationChain)}`
    case "ImportTx":
      return `${tx.importedInputs.length} UTXO(s) imported from chain ${abbreviatedID(tx.sourceChain)}`
    case "AddValidatorTx":
      return stakeText(tx.validator, "validates", PRIMARY_NETWORK_ID)
    case "AddPermissionlessValidatorTx":
      return stakeText(tx.validator, "validates", tx.subnetID)
    case "AddAutoRenewedValidatorTx": {
      const weight = tx.stake.reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
      return `${shortNode(toHex(tx.nodeID) as NodeID)} validates with ${avaxText(weight)}, renewed every ${durationText(tx.period)}`
    }
    case "SetAutoRenewedValidatorConfigTx":
      return `the validator of transaction ${abbreviatedID(tx.txID)} ${tx.period === 0n ? "leaves after this cycle" : `renews every ${durationText(tx.period)}`}`
    case "RewardAutoRenewedValidatorTx":
      return `a cycle of the validator of transaction ${abbreviatedID(tx.txID)} ends`
    case "AddSubnetValidatorTx":
      return `${shortNode(tx.validator.nodeID)} validates subnet ${abbreviatedID(tx.validator.subnetID)} until ${dateText(tx.validator.end)}`
    case "AddDelegatorTx":
      return stakeText(tx.validator, "is delegated", PRIMARY_NETWORK_ID)
    case "AddPermissionlessDelegatorTx":
      return stakeText(tx.validator, "is delegated", tx.subnetID)
    case "RemoveSubnetValidatorTx":
      return `${shortNode(tx.nodeID)} leaves subnet ${abbreviatedID(tx.subnetID)}`
    case "CreateSubnetTx":
      return `a subnet of ${ownersText(tx.owner.addresses, options.hrp)}`
    case "TransformSubnetTx":
      return `subnet ${abbreviatedID(tx.subnetID)} is open to stakers of its own asset`
    case "CreateChainTx":
      return `chain ${JSON.stringify(tx.chainName)} of subnet ${abbreviatedID(tx.subnetID)}`
    case "TransferSubnetOwnershipTx":
      return `subnet ${abbreviatedID(tx.subnetID)} now belongs to ${ownersText(tx.newOwner.addresses, options.hrp)}`
    case "ConvertSubnetToL1Tx":
      return `subnet ${abbreviatedID(tx.subnetID)} becomes an L1 with ${tx.validators.length} validator(s)`
    case "RegisterL1ValidatorTx":
      return `an L1 validator with a balance of ${avaxText(tx.balance)}`
    case "SetL1ValidatorWeightTx":
      return "the weight of an L1 validator changes"
    case "IncreaseL1ValidatorBalanceTx":
      return `${avaxText(tx.balance)} for L1 validator ${abbreviatedID(tx.validationID)}`
    case "DisableL1ValidatorTx":
      return `L1 validator ${abbreviatedID(tx.validationID)} is deactivated`
    case "RewardValidatorTx":
      return `the stake of transaction ${abbreviatedID(tx.txID)} ends`
    case "AdvanceTimeTx":
      return `the chain's time becomes ${printRfc3339(tx.time)}`
  }
}

interface Stake {
  readonly nodeID: NodeID
  readonly weight: bigint
  readonly end: bigint
}

function stakeText({ nodeID, weight, end }: Stake, verb: string, subnetID: ID): string {
  const isPrimary = subnetID === PRIMARY_NETWORK_ID
  const amount = isPrimary ? avaxText(weight) : `${weight} of the asset of subnet ${abbreviatedID(subnetID)}`
  return `${shortNode(nodeID)} ${verb} ${verb === "validates" ? "with " : ""}${amount} until ${dateText(end)}`
}

const SHOWN_OUTPUTS = 2

/** Describes the first outputs with their owners, and the number of the others. */
function paymentText(outputs: readonly TransferableOutput[], { hrp, avaxAssetID }: DescribeOptions): string {
  if (outputs.length === 0) return "everything is burned"
  const shown = outputs.slice(0, SHOWN_OUTPUTS).map(({ assetID, output }) => {
    const { amount, addresses } = innerOutput(output)
    const text = assetID === avaxAssetID ? avaxText(amount) : `${amount} of asset ${abbreviatedID(assetID)}`
    return `${text} to ${ownersText(addresses, hrp)}`
  })
  const more = outputs.length - shown.length
  return shown.join(", ") + (more === 0 ? "" : `, and ${more} more output${more === 1 ? "" : "s"}`)
}

function ownersText(addresses: readonly Address[], hrp: string): string {
  const [first] = addresses
  if (first === undefined) return "no address"
  return shortText(addressText(first, hrp), 10) + (addresses.length === 1 ? "" : ` and ${addresses.length - 1} more`)
}

const dateText = (seconds: bigint): string =>
  printRfc3339(seconds)
    .replace("T", " ")
    .replace(/:\d\dZ$/, " UTC")

const shortNode = (nodeID: NodeID): string => shortText(nodeIDText(nodeID), 11)

/** Prints the first and last characters of an ID in cb58: `2JVSB…bBrm`. */
const abbreviatedID = (id: ID): string => shortText(idText(id), 5)

function shortText(text: string, head: number): string {
  return text.length <= head + 5 ? text : `${text.slice(0, head)}…${text.slice(-4)}`
}
