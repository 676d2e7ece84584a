import { isObject, type JsonObject, listOf } from "./decoded.js"
import type { ResultOf } from "./rpc.js"

/** The inputs, outputs, fee and L1 validators of an accepted transaction. */
export type TxAmounts = Pick<ResultOf<"getTxInfo">, "fee" | "inputs" | "outputs" | "l1Validators">

/** An output that a transaction spends or creates. */
export type TxOutput = TxAmounts["inputs"][number] & Partial<Pick<TxAmounts["outputs"][number], "role" | "spentBy">>

/** An L1 validator that a transaction concerns. */
export type L1Change = TxAmounts["l1Validators"][number]

/** One end of the flow of a transaction: an input, an output, a stake, a balance, a reward, or the fee. */
export interface End {
  readonly key: string
  /** The amount in nAVAX, or in units of the asset. */
  readonly amount: bigint
  /** The asset, if it is not AVAX. */
  readonly assetID?: string | undefined
  readonly label: string
  /** Purpose of a created output. */
  readonly role?: string | undefined
  readonly owners?: readonly string[]
  /** A text that is shown if there are no owners. */
  readonly note?: string
  readonly isFee?: boolean
  /** The transaction that created the spent output. */
  readonly from?: string
  /** The transaction that spent the created output. */
  readonly spentBy?: string | undefined
  /** The L1 validator whose balance it is. */
  readonly validationID?: string
}

/** Sources and destinations of the amounts of a transaction. The sums of both sides are equal, also for each asset. */
export interface FlowData {
  readonly sources: readonly End[]
  readonly targets: readonly End[]
  /** The owners whose signatures the inputs name, each once. */
  readonly signers: readonly string[]
}

/** Number of inputs and outputs that are drawn one by one. */
const SHOWN = 12

const LABELS: Readonly<Record<string, string>> = {
  stake: "staked",
  export: "exported",
  returned: "stake returned",
  reward: "reward",
  refund: "balance returned",
}

/** The sources of outputs that no input pays for. */
const SOURCES: Readonly<Record<string, string>> = {
  returned: "the stake that ends",
  reward: "new, as a reward",
  refund: "the balance of the L1 validator",
}

/** Collects inputs with their owners, outputs, balances and the fee. `tx` is the unsigned transaction as JSON, which names the signers. */
export function flowOf(tx: JsonObject, amounts: TxAmounts, avaxAssetID: string): FlowData {
  const { inputs, outputs, fee, l1Validators } = amounts
  const assetOf = ({ assetID }: TxOutput) => ({ assetID: assetID === avaxAssetID ? undefined : assetID })
  const balances = l1Validators.flatMap(({ validationID, added = "0" }): End[] =>
    added === "0" ? [] : [{ key: validationID, amount: BigInt(added), label: "for an L1 validator", validationID }],
  )
  const created = outputs.map((output) => ({ ...targetOf(output), ...assetOf(output) }))
  const spent = inputs.map((input) => ({ ...sourceOf(input), ...assetOf(input) }))
  const sources = [...spent, ...sourcesOfOutputs(inputs.length > 0, created)]
  const targets = [...created, ...balances, ...keptOf(tx)]
  const burned: End = { key: "fee", amount: BigInt(fee), label: "fee", note: "burned", isFee: true }
  return {
    sources: joined(sources),
    targets: burned.amount > 0n ? [...joined(targets), burned] : joined(targets),
    signers: signersOf(tx, inputs),
  }
}

/** Makes one end of all ends after the first ones, one for each asset. */
function joined(ends: readonly End[]): readonly End[] {
  const rest = ends.slice(SHOWN)
  const others = [...new Set(rest.map(({ assetID }) => assetID))].map((assetID): End => {
    const same = rest.filter((end) => end.assetID === assetID)
    const amount = same.reduce((sum, end) => sum + end.amount, 0n)
    return { key: `rest ${assetID}`, amount, assetID, label: `${same.length} more`, note: "listed among the fields below" }
  })
  return [...ends.slice(0, SHOWN), ...others]
}

/** The sources of a refund, and, in a transaction without inputs, of the stake and the rewards that it pays. */
function sourcesOfOutputs(hasInputs: boolean, outputs: readonly End[]): readonly End[] {
  const paid = outputs.filter(({ role = "" }) => SOURCES[role] !== undefined && (!hasInputs || role === "refund"))
  return [...new Set(paid.map(({ role, assetID }) => `${role} ${assetID}`))].map((key): End => {
    const same = paid.filter(({ role, assetID }) => `${role} ${assetID}` === key)
    const { role = "", assetID } = same[0] as End
    return { key, amount: same.reduce((sum, { amount }) => sum + amount, 0n), assetID, label: SOURCES[role] ?? "" }
  })
}

/** The part of an asset that a TransformSubnetTx keeps for later rewards. */
function keptOf({ assetID, initialSupply, maximumSupply }: JsonObject): readonly End[] {
  if (maximumSupply === undefined || initialSupply === undefined) return []
  const amount = BigInt(String(maximumSupply)) - BigInt(String(initialSupply))
  return [{ key: "kept", amount, assetID: String(assetID), label: "kept for rewards", note: "of the subnet's stakers" }]
}

function endOf({ txID, outputIndex, amount, addresses = [] }: TxOutput) {
  return { key: `${txID} ${outputIndex}`, amount: BigInt(amount), owners: addresses }
}

function sourceOf(input: TxOutput): End {
  const label = input.stakeableLocktime === undefined ? "" : "locked"
  return { ...endOf(input), label, note: "of another chain", from: input.txID }
}

function targetOf(output: TxOutput): End {
  const label = `${LABELS[output.role ?? ""] ?? ""}${output.stakeableLocktime === undefined ? "" : " locked"}`.trim()
  return { ...endOf(output), label, note: "no owner", role: output.role, spentBy: output.spentBy }
}

/** Returns the owners at the indices that each input of a transaction names. */
function signersOf(tx: JsonObject, inputs: readonly TxOutput[]): readonly string[] {
  const named = [...listOf(tx.inputs), ...listOf(tx.importedInputs)].filter(isObject)
  const signers = named.flatMap((input) => {
    const owners = inputs.find((each) => each.txID === input.txID && each.outputIndex === Number(input.outputIndex))?.addresses
    return indicesOf(input).flatMap((at) => owners?.[at] ?? [])
  })
  return [...new Set(signers)]
}

/** Returns the signature indices of an input, or of the inner one if it is locked. */
function indicesOf({ input }: JsonObject): readonly number[] {
  if (!isObject(input)) return []
  return isObject(input.input) ? indicesOf(input as { input: JsonObject }) : listOf(input.signatureIndices).map(Number)
}
