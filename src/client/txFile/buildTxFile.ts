import { paramsFor } from "../../core/networks/index.js"
import { hrpOf } from "../../core/networks/names.js"
import type { Owners } from "../../core/rules/authorise.js"
import { amountsOf } from "../../core/txs/amounts.js"
import { authorisationMember } from "../../core/txs/authorisation.js"
import { feeOf } from "../../core/txs/execute.js"
import { checkTx } from "../../core/txs/unsignedTx.js"
import { type Address, addressText } from "../../core/types/address.js"
import { type ID, idText } from "../../core/types/id.js"
import { compareInputs, type TransferableInput } from "../../core/types/input.js"
import { innerOutput, type TransferableOutput } from "../../core/types/output.js"
import { type Utxo, utxoReference } from "../../core/types/utxo.js"
import { crypto } from "../../platform/backends.js"
import { producerError } from "../../producer/errors.js"
import { inputOfUtxo, unsignedPayment } from "../../producer/funds/payment.js"
import { type AtomicExport, atomicFeeOf, type CChainPlace, unsignedExport, unsignedImport } from "../atomicTxs.js"
import { clientError } from "../errors.js"
import type { TxFile } from "./format.js"
import { newTxFile } from "./txFile.js"
import { inputsOf, type Unsigned, type UserTx } from "./unsigned.js"

/** The maximum number of UTXOs that a transaction spends, the largest ones. A transaction with more would not fit into a block. */
const MAX_INPUTS = 128

/** What a transaction of the P-Chain is made from. No key is among it. */
export interface TxRequest {
  /** The transaction without its inputs and its change. */
  readonly tx: UserTx
  readonly avaxAssetID: ID
  /** The price of gas, nAVAX. */
  readonly price: bigint
  /** The time in Unix seconds: what is locked longer is not spent. */
  readonly now: bigint
  /** The UTXOs that may be spent. */
  readonly utxos: readonly Utxo[]
  /** The UTXOs that an ImportTx takes from the other chain. */
  readonly imported?: readonly Utxo[]
  /** The addresses whose keys will sign. */
  readonly signers: readonly Address[]
  /** The owners of the change; by default those of the first UTXO that is taken. */
  readonly change?: Owners | undefined
  /** The owners of the subnet or the validator for which the transaction acts. */
  readonly authority?: Owners | undefined
}

/**
 * Makes the file of a transaction that the UTXOs pay, with its fee and its change. Throws `producer.insufficient_funds`, `client.*` and the
 * refusals of a transaction without a state.
 */
export function buildTxFile(request: TxRequest): TxFile {
  const { tx, avaxAssetID, price, utxos } = request
  const { networkID } = tx
  if (tx.inputs.length > 0) throw clientError("client.inputs_given", { inputs: tx.inputs.length })
  const own = spendable(utxos, request)
  const imported = spendable(request.imported ?? [], request)
  if (tx.kind === "ImportTx" && imported.length === 0) throw clientError("client.nothing_to_import", {})
  const [first] = [...imported, ...own]
  const owners = request.change ?? (first && innerOutput(first.utxo.output))
  const acting = actingFor(request)
  const importedInputs = imported.map(({ input }) => input).sort(compareInputs)
  const amount = amountOf(tx, avaxAssetID)
  const unsigned = unsignedPayment(
    {
      amount,
      outputs: tx.outputs,
      make: (parts) => ({
        ...tx,
        ...parts,
        memo: tx.memo,
        ...acting.member,
        ...(imported.length === 0 ? {} : { importedInputs }),
      }),
    },
    {
      networkID,
      inputs: own.map(({ input }) => input),
      given: sumOf(imported),
      changeOf: (change) => outputTo(owners as Owners, change, avaxAssetID),
      feeOf: (made) => feeOf(made, { params: paramsFor(networkID) }, price),
    },
  ) as UserTx | undefined
  if (!unsigned) throw producerError("producer.insufficient_funds", { amount, balance: sumOf(own) + sumOf(imported) })
  checkTx(unsigned, { networkID, avaxAssetID, crypto })
  const made = { chain: "P", tx: unsigned } as const
  return newTxFile(made, spentBy(made, [...utxos, ...(request.imported ?? [])]), acting.signers)
}

/** Wraps a transaction that another tool has made, and whose inputs are among these UTXOs. Throws `client.*`. */
export function wrapTx(unsigned: Unsigned, utxos: readonly Utxo[], authority?: Owners): TxFile {
  const member = unsigned.chain === "P" ? authorisationMember(unsigned.tx) : undefined
  const auth = member && (unsigned.tx as unknown as Record<string, { readonly signatureIndices?: readonly number[] }>)[member]
  const hrp = hrpOf(unsigned.tx.networkID)
  const signers = (auth?.signatureIndices ?? []).map((index) => {
    const address = authority?.addresses[index]
    if (address === undefined) throw clientError("client.too_few_signers", { index, owners: authority?.addresses.length ?? 0 })
    return addressText(address, hrp)
  })
  return newTxFile(unsigned, spentBy(unsigned, utxos), signers)
}

/** What an atomic transaction of the C-Chain is made from. */
export interface AtomicTxRequest {
  readonly place: CChainPlace
  /** The base fee of the last block, wei. */
  readonly baseFee: bigint
  readonly tx: ({ readonly kind: "export" } & AtomicExport) | AtomicImport
}

interface AtomicImport {
  readonly kind: "import"
  /** What the P-Chain has put, of which all is taken that the signers own. */
  readonly utxos: readonly Utxo[]
  readonly signers: readonly Address[]
  /** The account that gets it, `0x` and hex. */
  readonly address: string
  /** The time in Unix seconds. */
  readonly now: bigint
}

/** Makes the file of an atomic transaction of the C-Chain. Throws `client.nothing_to_import` and `client.amount_too_small`. */
export function buildAtomicTxFile({ place, baseFee, tx }: AtomicTxRequest): TxFile {
  if (tx.kind === "export") {
    const fee = atomicFeeOf(unsignedExport(place, tx, 0n), baseFee)
    return newTxFile({ chain: "C", tx: unsignedExport(place, tx, fee) }, [], [])
  }
  const taken = spendable(tx.utxos, { ...tx, avaxAssetID: place.avaxAssetID })
  if (taken.length === 0) throw clientError("client.nothing_to_import", {})
  const inputs = taken.map(({ input }) => input)
  const fee = atomicFeeOf(unsignedImport(place, inputs, tx.address, 0n), baseFee)
  if (fee >= sumOf(taken)) throw clientError("client.amount_too_small", { amount: sumOf(taken), fee })
  const made: Unsigned = { chain: "C", tx: unsignedImport(place, inputs, tx.address, fee) }
  return newTxFile(made, spentBy(made, tx.utxos), [])
}

interface Spendable {
  readonly utxo: Utxo
  readonly input: TransferableInput
}

/** Returns the unlocked AVAX for which enough of the owners sign, with the inputs that spend it, the largest first. */
function spendable(utxos: readonly Utxo[], { avaxAssetID, now, signers }: Pick<TxRequest, "avaxAssetID" | "now" | "signers">) {
  const found: Spendable[] = []
  for (const utxo of utxos) {
    if (utxo.assetID !== avaxAssetID || (utxo.output.kind === "LockOut" && utxo.output.locktime > now)) continue
    const indices = signingIndices(innerOutput(utxo.output), signers, now)
    if (indices) found.push({ utxo, input: inputOfUtxo(utxo, indices) })
  }
  const amountOf = ({ utxo }: Spendable) => innerOutput(utxo.output).amount
  return found.sort((a, b) => (amountOf(a) > amountOf(b) ? -1 : 1)).slice(0, MAX_INPUTS)
}

/** Returns the owners of the largest UTXO that the signers can spend; `undefined` if there is none. */
export function ownersOfFunds(
  utxos: readonly Utxo[],
  funds: Pick<TxRequest, "avaxAssetID" | "now" | "signers">,
): Owners | undefined {
  const [first] = spendable(utxos, funds)
  return first && innerOutput(first.utxo.output)
}

/** Returns the positions of as many signers among the owners as must sign; `undefined` if there are too few, or the owners are locked. */
function signingIndices({ locktime = 0n, threshold, addresses }: Owners, signers: readonly Address[], now: bigint) {
  const indices = addresses.flatMap((address, i) => (signers.includes(address) ? [i] : [])).slice(0, threshold)
  return locktime > now || indices.length < threshold ? undefined : indices
}

/** Returns who acts for the subnet or the validator of the transaction, and the member that says so. */
function actingFor({ tx, authority, signers, now }: TxRequest) {
  const member = authorisationMember(tx)
  if (member === undefined) return { member: {}, signers: [] }
  const indices = authority && signingIndices(authority, signers, now)
  if (!indices) throw clientError("client.too_few_signers", { threshold: authority?.threshold, signers: signers.length })
  const hrp = hrpOf(tx.networkID)
  return {
    member: { [member]: { kind: "Input", signatureIndices: indices } },
    signers: indices.map((index) => addressText(authority.addresses[index] as Address, hrp)),
  }
}

/** Returns the AVAX that leaves the inputs besides the fee. Throws `client.only_avax`. */
function amountOf(tx: UserTx, avaxAssetID: ID): bigint {
  const { outputs, balances } = amountsOf(tx)
  const other = outputs.find(({ assetID }) => assetID !== avaxAssetID)
  if (other) throw clientError("client.only_avax", { assetID: idText(other.assetID) })
  return outputs.reduce((sum, { output }) => sum + innerOutput(output).amount, balances)
}

const sumOf = (spent: readonly Spendable[]): bigint => spent.reduce((sum, { utxo }) => sum + innerOutput(utxo.output).amount, 0n)

function outputTo({ locktime = 0n, threshold, addresses }: Owners, amount: bigint, assetID: ID): TransferableOutput {
  return { assetID, output: { kind: "TransferOutput", amount, locktime, threshold, addresses: [...addresses] } }
}

/** Returns the UTXOs that a transaction spends, in the order of its inputs. Throws `client.wrong_utxo` for one that is missing. */
function spentBy(unsigned: Unsigned, utxos: readonly Utxo[]): readonly Utxo[] {
  const byReference = new Map(utxos.map((utxo) => [utxoReference(utxo.txID, utxo.outputIndex), utxo]))
  return inputsOf(unsigned).map(({ txID, outputIndex }) => {
    const input = utxoReference(txID, outputIndex)
    const utxo = byReference.get(input)
    if (!utxo) throw clientError("client.wrong_utxo", { input, what: "unknown" })
    return utxo
  })
}
