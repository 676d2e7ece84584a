import { isObject, type JsonObject, listOf } from "./decoded.js"

/** An output that a transaction spends or creates, as `platform.getTxInfo` returns it. */
export interface TxOutput {
  readonly txID: string
  readonly outputIndex: number
  readonly amount: string
  /** The owners; omitted for outputs of another chain. */
  readonly addresses?: readonly string[]
  readonly stakeableLocktime?: string
  /** Purpose of a created output. */
  readonly role?: string
  /** The transaction that spent it. */
  readonly spentBy?: string
  /** The chain that an imported output comes from. */
  readonly sourceChain?: string
}

/** The inputs, outputs and fee of an accepted transaction. */
export interface TxAmounts {
  readonly fee: string
  readonly inputs: readonly TxOutput[]
  readonly outputs: readonly TxOutput[]
}

/** One end of the flow of a transaction: an input, an output, a stake, a reward, or the fee. */
export interface End {
  readonly key: string
  /** The amount in nAVAX. */
  readonly amount: bigint
  readonly label: string
  readonly owners: readonly string[]
  /** A text that is shown if there are no owners. */
  readonly note: string
  readonly isFee?: boolean
  /** The transaction that created the spent output. */
  readonly from?: string
  /** The transaction that spent the created output. */
  readonly spentBy?: string
}

/** Sources and destinations of the AVAX of a transaction. */
export interface FlowData {
  readonly sources: readonly End[]
  readonly targets: readonly End[]
  /** Number of inputs or outputs that are not shown. */
  readonly left: number
  /** The owners whose signatures the inputs name, each once. */
  readonly signers: readonly string[]
}

/** Number of inputs and outputs that are drawn. */
const SHOWN = 12

const LABELS: Readonly<Record<string, string>> = {
  stake: "staked",
  export: "exported",
  returned: "stake returned",
  reward: "reward",
  refund: "balance returned",
}

/** Collects inputs with their owners, outputs and the fee. `tx` is the unsigned transaction as JSON, which names the signers. */
export function flowOf(tx: JsonObject, { inputs, outputs, fee }: TxAmounts): FlowData {
  const sources = inputs.slice(0, SHOWN).map(sourceOf)
  const shown = outputs.slice(0, SHOWN).map(targetOf)
  const targets = BigInt(fee) > 0n ? [...shown, feeEnd(BigInt(fee))] : shown
  return {
    sources,
    targets,
    signers: signersOf(tx, inputs),
    left: inputs.length - sources.length + outputs.length - shown.length,
  }
}

const feeEnd = (amount: bigint): End => ({ key: "fee", amount, label: "fee", owners: [], note: "burned", isFee: true })

function endOf({ txID, outputIndex, amount, addresses = [] }: TxOutput): Omit<End, "label" | "note"> {
  return { key: `${txID} ${outputIndex}`, amount: BigInt(amount), owners: addresses }
}

function sourceOf(input: TxOutput): End {
  const label = input.stakeableLocktime === undefined ? "" : "locked"
  return { ...endOf(input), label, note: "of another chain", from: input.txID }
}

function targetOf(output: TxOutput): End {
  const label = `${LABELS[output.role ?? ""] ?? ""}${output.stakeableLocktime === undefined ? "" : " locked"}`.trim()
  return { ...endOf(output), label, note: "no owner", ...(output.spentBy === undefined ? {} : { spentBy: output.spentBy }) }
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
