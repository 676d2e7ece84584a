import { encode, versioned } from "../codec/decode.js"
import type { Crypto } from "../crypto/crypto.js"
import { Invalid, type NodeDependency, withStep } from "../lib/invalid.js"
import { add64, sub64 } from "../lib/math64.js"
import { tables } from "../state/tables.js"
import { type ID, idOf, idText } from "../types/id.js"
import { type TransferableInput, unlockedInput } from "../types/input.js"
import { innerOutput, type TransferableOutput, type TransferOutput } from "../types/output.js"
import { outputOwners } from "../types/owners.js"
import { type Utxo, utxoID, utxoReference } from "../types/utxo.js"
import type { Verifiable } from "../types/verifiable.js"
import { requireCredential, verifyCredential } from "./authorise.js"
import type { TxContext } from "./context.js"
import { rulesError } from "./errors.js"
import { checkVerifiable, type PossessionContext } from "./verifiable.js"

/** Inputs, outputs and burned amounts of a transaction. */
export interface Spend {
  readonly inputs: readonly TransferableInput[]
  /** The UTXOs that the inputs spend, in their order; by default they are read from the state. */
  readonly utxos?: readonly Utxo[]
  readonly outputs: readonly TransferableOutput[]
  readonly credentials: readonly Verifiable[]
  /** asset → amount that must be burned: the fee, balances of L1 validators, a reward pool. */
  readonly burns: ReadonlyMap<ID, bigint>
}

/** Checks the flow of funds: signers may spend the inputs, inputs cover outputs and burns, and locked funds stay locked. */
export function verifySpend(context: TxContext, spend: Spend): void {
  const utxos = spend.utxos ?? spend.inputs.map((input) => requireUtxo(context, input))
  if (spend.inputs.length !== spend.credentials.length) {
    throw rulesError("rules.credential_count", { inputs: spend.inputs.length, credentials: spend.credentials.length })
  }
  if (spend.inputs.length !== utxos.length) {
    throw rulesError("rules.utxo_count", { inputs: spend.inputs.length, utxos: utxos.length })
  }
  checkCredentials(spend.credentials, context.blockContext)
  const consumed = consume(context, spend, utxos)
  const produced = produce(spend)
  coverLocked(consumed, produced.locked)
  for (const [assetID, amount] of produced.unlocked) {
    const missing = amount - (consumed.unlocked.get(assetID) ?? 0n)
    if (missing <= 0n) continue
    throw rulesError("rules.insufficient_unlocked", { missing, asset: idText(assetID) }).dependingOn(dependencyOf(consumed))
  }
}

/**
 * Checks each credential by itself. One of another kind is refused later in any case, and only the message depends on whether it is valid.
 * Of several proofs of possession, which take milliseconds each, only the first is verified.
 */
function checkCredentials(credentials: readonly Verifiable[], context: PossessionContext): void {
  const firstProof = credentials.find(({ kind }) => kind === "ProofOfPossession")
  for (const credential of credentials) {
    if (credential.kind !== "ProofOfPossession" || credential === firstProof) checkVerifiable(credential, context)
  }
}

/** Funds by asset; locked funds by asset, lock time and owner. */
interface Funds {
  readonly unlocked: Map<ID, bigint>
  readonly locked: Map<string, LockedFunds>
}

interface LockedFunds {
  readonly assetID: ID
  readonly locktime: bigint
  readonly ownerID: ID
  amount: bigint
}

function requireUtxo(context: TxContext, { txID, outputIndex }: TransferableInput): Utxo {
  const utxo = context.diff.get(tables.utxos, utxoID(txID, outputIndex, context.blockContext.crypto.sha256Hex))
  if (!utxo) throw rulesError("rules.unknown_utxo", { utxo: utxoReference(txID, outputIndex) })
  return utxo
}

function consume(context: TxContext, { inputs, credentials }: Spend, utxos: readonly Utxo[]): Funds {
  const funds: Funds = { unlocked: new Map(), locked: new Map() }
  let hasLock = false
  for (const [i, each] of inputs.entries()) {
    const utxo = utxos[i] as Utxo
    if (utxo.assetID !== each.assetID) {
      throw rulesError("rules.asset_mismatch", { input: idText(each.assetID), utxo: idText(utxo.assetID) })
    }
    const locktime = checkLock(context, each, utxo)
    const output = innerOutput(utxo.output)
    const input = unlockedInput(each.input)
    withStep("failed to verify transfer: ", () => {
      requireCredential(credentials[i] as Verifiable)
      if (output.amount !== input.amount) throw rulesError("rules.amount_mismatch", { utxo: output.amount, input: input.amount })
      verifyCredential(context, output, input.signatureIndices, credentials[i] as Verifiable)
    })
    hasLock ||= locktime > 0n
    try {
      if (context.blockContext.now >= locktime) addTo(funds.unlocked, utxo.assetID, input.amount)
      else addLocked(funds.locked, utxo.assetID, locktime, output)
    } catch (error) {
      // The clock decides which amounts are added to each other.
      throw hasLock && error instanceof Invalid ? error.dependingOn("clock") : error
    }
  }
  return funds
}

/** Returns the stakeable lock of a UTXO (0 for none), which an input must repeat while it is locked, and may never repeat wrongly. */
function checkLock(context: TxContext, { input }: TransferableInput, { output }: Utxo): bigint {
  const locktime = output.kind === "LockOut" ? output.locktime : 0n
  if (context.blockContext.now < locktime && input.kind !== "LockIn") {
    throw rulesError("rules.lock_not_marked", { locktime }).dependingOn("clock")
  }
  if (input.kind === "LockIn" && input.locktime !== locktime) {
    throw rulesError("rules.locktime_mismatch", { input: input.locktime, utxo: locktime })
  }
  return locktime
}

function produce({ outputs, burns }: Spend): Funds {
  const funds: Funds = { unlocked: new Map(burns), locked: new Map() }
  for (const { assetID, output } of outputs) {
    // A lock counts even after its time, because an output that was written as locked stays locked.
    if (output.kind === "LockOut") addLocked(funds.locked, assetID, output.locktime, output.output)
    else addTo(funds.unlocked, assetID, output.amount)
  }
  return funds
}

/** Returns the dependency of a lack of funds: the clock unlocks those that are locked now. */
const dependencyOf = ({ locked }: Funds): NodeDependency | undefined => (locked.size > 0 ? "clock" : undefined)

/** Covers locked outputs that exceed the consumed funds under the same lock by unlocked funds. */
function coverLocked(consumed: Funds, produced: ReadonlyMap<string, LockedFunds>): void {
  for (const [key, { assetID, locktime, ownerID, amount }] of produced) {
    const shortfall = amount - (consumed.locked.get(key)?.amount ?? 0n)
    if (shortfall <= 0n) continue
    const available = consumed.unlocked.get(assetID) ?? 0n
    if (shortfall > available) {
      const data = { owner: idText(ownerID), missing: shortfall - available, asset: idText(assetID), locktime }
      throw rulesError("rules.insufficient_locked", data).dependingOn(dependencyOf(consumed))
    }
    consumed.unlocked.set(assetID, sub64(available, shortfall))
  }
}

function addTo(funds: Map<ID, bigint>, assetID: ID, amount: bigint): void {
  funds.set(assetID, add64(funds.get(assetID) ?? 0n, amount))
}

/** The owners have no type ID, because AvalancheGo encodes them as they are inside an output. */
const topLevelOwners = versioned(outputOwners)

function addLocked(funds: Map<string, LockedFunds>, assetID: ID, locktime: bigint, output: TransferOutput): void {
  const { locktime: ownLocktime, threshold, addresses } = output
  const ownerID = idOf(encode(topLevelOwners, { kind: outputOwners.kind, locktime: ownLocktime, threshold, addresses }))
  const key = `${assetID}:${locktime}:${ownerID}`
  const entry = funds.get(key)
  if (entry) entry.amount = add64(entry.amount, output.amount)
  else funds.set(key, { assetID, locktime, ownerID, amount: output.amount })
}

/** Removes the inputs' UTXOs from the state. */
export function consumeInputs(context: TxContext, inputs: readonly TransferableInput[]): void {
  const { sha256Hex } = context.blockContext.crypto
  for (const { txID, outputIndex } of inputs) context.diff.delete(tables.utxos, utxoID(txID, outputIndex, sha256Hex))
}

/** Adds outputs to the state as UTXOs of this transaction, from an index on. */
export function produceOutputs(context: TxContext, outputs: readonly TransferableOutput[], firstIndex = 0): void {
  for (const [i, { assetID, output }] of outputs.entries()) {
    const utxo = { txID: context.txID, outputIndex: firstIndex + i, assetID, output }
    addUtxo(context, utxo, context.blockContext.crypto.sha256Hex)
  }
}

/** Adds a UTXO to the state. `sha256Hex` is the hash of the platform, if the caller has it. */
export function addUtxo({ diff }: Pick<TxContext, "diff">, utxo: Utxo, sha256Hex?: Crypto["sha256Hex"]): void {
  diff.insert(tables.utxos, utxoID(utxo.txID, utxo.outputIndex, sha256Hex), utxo)
}
