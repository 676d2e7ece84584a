import { Invalid } from "../../../src/core/lib/invalid.js"
import type { Rules } from "../../../src/core/rules/context.js"
import type { Diff } from "../../../src/core/state/diff.js"
import { burnedAvax } from "../../../src/core/txs/amounts.js"
import type { Base } from "../../../src/core/txs/base.js"
import { feeOf } from "../../../src/core/txs/execute.js"
import { decodeTx, signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { Credential } from "../../../src/core/types/credential.js"
import { P_CHAIN_ID } from "../../../src/core/types/id.js"
import type { TransferableInput } from "../../../src/core/types/input.js"
import { compareOutputs, type TransferableOutput } from "../../../src/core/types/output.js"
import type { Verifiable } from "../../../src/core/types/verifiable.js"
import { type Key, signTx } from "../../fixtures/keys.js"
import type { Random } from "../../fuzz/random.js"
import { gather, inOrder, outputOf, type Spendable, spendables } from "./spendable.js"
import { COIN, NETWORK, type World } from "./world.js"

/** The inputs of a maker of transactions. */
export interface Scene {
  readonly world: World
  readonly rules: Rules
  readonly random: Random
  /** The state that it would run on. */
  readonly state: Diff
  /** The chain's time there, and the clock, Unix seconds. */
  readonly time: bigint
  readonly now: bigint
  /** nAVAX for a unit of gas; none before Etna. */
  readonly price: bigint | undefined
}

/** A transaction that is not signed yet, and who signs it: for each input, and for an authorisation. */
export interface UnsignedDraft {
  readonly tx: UnsignedTx
  readonly signers: readonly (readonly Key[])[]
  /** A wrong structure in place of the last credential, if any. */
  readonly lastCredential?: Verifiable
  /** A change of the last signature, if any. */
  readonly lastSignature?: (bytes: Uint8Array) => Uint8Array
}

/** Signs a transaction, correctly or with the intended fault. The result is decoded from its bytes. */
export function signed(unsigned: UnsignedDraft): Tx {
  return decodeTx(written(unsigned).bytes)
}

function written({ tx, signers, lastCredential, lastSignature }: UnsignedDraft): Tx {
  const right = signTx(tx, signers)
  const last = lastCredential ?? right.credentials.at(-1)
  if (!last || (!lastCredential && !lastSignature)) return right
  const changed = lastSignature && last.kind === "Credential" ? withLastSignature(last, lastSignature) : last
  return signedTxOf(tx, [...right.credentials.slice(0, -1), changed])
}

function withLastSignature(credential: Credential, change: (bytes: Uint8Array) => Uint8Array): Credential {
  const { signatures } = credential
  return { ...credential, signatures: [...signatures.slice(0, -1), ...signatures.slice(-1).map(change)] }
}

export type Maker = (scene: Scene) => UnsignedDraft | undefined

/** The content of a transaction, without its payment. */
export interface Plan {
  /** nAVAX that is not for outputs. */
  readonly spends?: bigint
  /** The amount of the other asset that is not for outputs. */
  readonly spendsCoins?: bigint
  /** Inputs that the plan itself names, such as locked stake. */
  readonly takes?: readonly Spendable[]
  readonly imported?: readonly Spendable[]
  readonly outputs?: readonly TransferableOutput[]
  readonly authorisedBy?: readonly Key[]
  readonly make: (base: Base, importedInputs: readonly TransferableInput[]) => UnsignedTx
}

/** Pays for a plan with any UTXOs of the people, the change to any of them; `undefined` if they cannot pay. */
export function compose(scene: Scene, plan: Plan): UnsignedDraft | undefined {
  const { random, rules, price = 0n } = scene
  const { spends = 0n, spendsCoins = 0n, takes = [], imported = [], outputs = [], authorisedBy, make } = plan
  const avax = rules.avaxAssetID
  const taken = new Set(takes.map(({ input }) => `${input.txID}${input.outputIndex}`))
  const all = spendables(scene.state, scene.now, random).filter(({ input }) => !taken.has(`${input.txID}${input.outputIndex}`))
  const money = gather(all, avax, spends + 400_000n * price + 10n)
  const coins = gather(all, COIN, spendsCoins)
  if (!money || !coins) return undefined
  const inputs = inOrder([...money, ...coins, ...takes])
  const importedInputs = inOrder(imported)
  const rest = sum([...coins, ...imported.filter(({ input }) => input.assetID === COIN)]) - spendsCoins
  const memoSize = random.below(15) === 0 ? random.pick([1, 255, 256]) : 0
  const changes = random.pick([1, 1, 2, 3])
  const changeOf = (amount: bigint): TransferableOutput[] =>
    amount < BigInt(changes) ? [] : parts(amount, changes).map((part) => outputOf(random, scene.now, avax, part))
  const coinChange = rest > 0n ? [outputOf(random, scene.now, COIN, rest)] : []
  const built = (change: readonly TransferableOutput[]): UnsignedTx =>
    make(
      {
        networkID: NETWORK,
        blockchainID: P_CHAIN_ID,
        inputs: inputs.map(({ input }) => input),
        outputs: [...change, ...coinChange, ...outputs].sort(compareOutputs),
        memo: random.bytes(memoSize),
      },
      importedInputs.map(({ input }) => input),
    )
  const rough = changeOf(BigInt(changes))
  const tx = built(rough)
  let spare = spareOf(tx, scene)
  if (spare < 0n) return undefined
  if (random.below(10) === 0) spare -= BigInt(random.below(2)) // Sometimes the burned amount is one too small.
  const first = rough[0]
  const change = first && spare !== 0n ? [grown(first, spare), ...rough.slice(1)] : rough
  const signers = [...inputs.map((each) => each.signers), ...importedInputs.map((each) => each.signers)]
  const final = make(
    { ...(tx as Base), outputs: [...change, ...coinChange, ...outputs].sort(compareOutputs) },
    importedInputs.map(({ input }) => input),
  )
  return { tx: final, signers: authorisedBy ? [...signers, authorisedBy] : signers }
}

/** The burned amount beyond the fee; negative if it cannot be paid. */
function spareOf(tx: UnsignedTx, { rules, price }: Scene): bigint {
  try {
    return burnedAvax(tx, rules.avaxAssetID) - (price === undefined ? 0n : feeOf(tx, rules, price))
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // Kinds that can no longer be priced are refused for that reason.
    return error.code === "tx.unmetered" || error.code === "types.bitset_padded" ? 0n : -1n
  }
}

const sum = (all: readonly { readonly amount: bigint }[]): bigint => all.reduce((total, { amount }) => total + amount, 0n)

function parts(amount: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => (i === 0 ? amount - BigInt(count - 1) : 1n))
}

function grown(each: TransferableOutput, by: bigint): TransferableOutput {
  const { output } = each
  if (output.kind === "LockOut")
    return { ...each, output: { ...output, output: { ...output.output, amount: output.output.amount + by } } }
  return { ...each, output: { ...output, amount: output.amount + by } }
}
