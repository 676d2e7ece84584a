import { isObject, type JsonObject, listOf } from "./decoded.js"
import { type Json, platform } from "./rpc.js"

/** One input of a transaction, with the owners of the output that it spends where the node knows it. */
export interface Source extends End {
  /** The transaction whose output is spent. */
  readonly from?: string
  /** The owners who signed for it. */
  readonly signers?: readonly string[]
}

/** One output of a transaction, a stake, or the fee. */
export type Target = End

/** One end of the flow of a transaction. */
export interface End {
  readonly key: string
  /** nAVAX. */
  readonly amount: bigint
  readonly label: string
  readonly owners: readonly string[]
  /** Stands where there are no owners. */
  readonly note: string
  readonly isFee?: boolean
  readonly from?: string
}

/** Where the AVAX of a transaction comes from and goes to. */
export interface FlowData {
  readonly sources: readonly Source[]
  readonly targets: readonly Target[]
  /** How many ends are not shown. */
  readonly left: number
  /** The owners whose signatures the inputs name, each once. */
  readonly signers: readonly string[]
}

/** How many inputs and outputs are drawn. */
const SHOWN = 12

/** The lists of a transaction that hold outputs, and what each is called. */
const OUTPUTS: readonly (readonly [member: string, label: string])[] = [
  ["outputs", ""],
  ["stake", "staked"],
  ["exportedOutputs", "exported"],
]

/** Collects inputs with their owners, outputs, stakes and the fee of an unsigned transaction as JSON. */
export async function flowOf(tx: JsonObject, fee: bigint): Promise<FlowData> {
  const inputs = [...listOf(tx.inputs), ...listOf(tx.importedInputs)].filter(isObject)
  const sources = await Promise.all(inputs.slice(0, SHOWN).map(sourceOf))
  const outputs = OUTPUTS.flatMap(([member, label]) =>
    listOf(tx[member])
      .filter(isObject)
      .map((each) => targetOf(each, label, member)),
  )
  const numbered = outputs.map((each, i) => ({ ...each, key: `${each.key} ${i}` }))
  const shown = numbered.slice(0, SHOWN)
  const targets = fee > 0n ? [...shown, feeEnd(fee)] : shown
  const signers = [...new Set(sources.flatMap((source) => source.signers ?? []))]
  return { signers, sources, targets, left: inputs.length - sources.length + outputs.length - shown.length }
}

const feeEnd = (amount: bigint): Target => ({ key: "fee", amount, label: "fee", owners: [], note: "burned", isFee: true })

async function sourceOf(input: JsonObject): Promise<Source> {
  const [txID, index] = [String(input.txID), Number(input.outputIndex)]
  const { amount, input: inner } = innerOf(input.input)
  const owners = await ownersOf(txID, index)
  const spending = isObject(inner) ? inner : input.input
  const indices = isObject(spending) ? listOf(spending.signatureIndices).map(Number) : []
  const signers = indices.flatMap((at) => owners[at] ?? [])
  const label = inner === undefined ? "" : "locked"
  return { key: `${txID} ${index}`, amount, label, owners, note: "of another chain, or of genesis", from: txID, signers }
}

function targetOf(output: JsonObject, label: string, member: string): Target {
  const { amount, addresses, output: inner } = innerOf(output.output)
  const locked = inner === undefined ? label : `${label} locked`.trim()
  return { key: member, amount, label: locked, owners: addresses, note: "no owner" }
}

/** An output or input, and the one inside where it is locked. */
function innerOf(value: Json | undefined): { amount: bigint; addresses: readonly string[]; input?: Json; output?: Json } {
  if (!isObject(value)) return { amount: 0n, addresses: [] }
  const inside = value.output ?? value.input
  if (isObject(inside)) return { ...innerOf(inside), output: inside, input: inside }
  return { amount: BigInt(String(value.amount ?? 0)), addresses: listOf(value.addresses).map(String) }
}

/** The owners of an output of an accepted transaction: of its outputs, or of its stake, which comes behind them. */
async function ownersOf(txID: string, index: number): Promise<readonly string[]> {
  try {
    const { tx } = await platform<{ tx: JsonObject }>("getTx", { txID, encoding: "json" })
    const unsigned = tx.unsignedTx as JsonObject
    const all = [...listOf(unsigned.outputs), ...listOf(unsigned.stake)]
    const output = all[index]
    return isObject(output) ? innerOf(output.output).addresses : []
  } catch {
    return []
  }
}
