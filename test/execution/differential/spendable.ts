import { addOverTime } from "../../../src/core/rules/gas.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import type { Address } from "../../../src/core/types/address.js"
import type { ID } from "../../../src/core/types/id.js"
import { compareInputs, type TransferableInput } from "../../../src/core/types/input.js"
import { innerOutput, type Output, type TransferableOutput, type TransferOutput } from "../../../src/core/types/output.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import type { Utxo } from "../../../src/core/types/utxo.js"
import type { Key } from "../../fixtures/keys.js"
import type { Random } from "../../fuzz/random.js"
import { people } from "./world.js"

/** A UTXO that the test keys can spend at a time: its input, and the keys that sign. */
export interface Spendable {
  readonly input: TransferableInput
  readonly signers: readonly Key[]
  readonly amount: bigint
  /** The stakeable lock that still runs, or 0. */
  readonly locktime: bigint
  readonly owner: Output
}

const keys = new Map<Address, Key>(people.map((key) => [key.address, key]))

/** Returns the signature indices with which the test keys can act for an owner at a time; `undefined` if they cannot. */
export function signersFor(
  { locktime, threshold, addresses }: Pick<OutputOwners, "locktime" | "threshold" | "addresses">,
  now: bigint,
): number[] | undefined {
  if (locktime > now) return undefined
  const places = [...addresses.keys()].filter((i) => keys.has(addresses[i]!)).slice(0, threshold)
  return places.length === threshold ? places : undefined
}

export const keysAt = (addresses: readonly Address[], places: readonly number[]): Key[] =>
  places.map((i) => keys.get(addresses[i]!)!)

/** Returns the input that spends a UTXO at a time; `undefined` if no test key can. An expired lock is named or not, at random. */
export function spendable(utxo: Utxo, now: bigint, random: Random): Spendable | undefined {
  const { txID, outputIndex, assetID, output } = utxo
  const inner = innerOutput(output)
  const signatureIndices = signersFor(inner, now)
  if (!signatureIndices) return undefined
  const plain = { kind: "TransferInput" as const, amount: inner.amount, signatureIndices }
  const lock = output.kind === "LockOut" ? output.locktime : 0n
  const named = lock > now || (lock > 0n && random.below(2) === 0)
  const input = named ? { kind: "LockIn" as const, locktime: lock, input: plain } : plain
  return {
    input: { txID, outputIndex, assetID, input },
    signers: keysAt(inner.addresses, signatureIndices),
    amount: inner.amount,
    locktime: lock > now ? lock : 0n,
    owner: output,
  }
}

/** All UTXOs that the keys can spend, in random order. */
export function spendables(view: View, now: bigint, random: Random): Spendable[] {
  const all: Spendable[] = []
  for (const [, utxo] of view.rows(tables.utxos)) {
    const each = spendable(utxo, now, random)
    if (each) all.push(each)
  }
  return shuffled(all, random)
}

export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const out = [...values]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}

/** Some of these UTXOs with at least this unlocked amount of an asset; `undefined` if all together have less. */
export function gather(all: readonly Spendable[], assetID: ID, need: bigint): Spendable[] | undefined {
  const taken: Spendable[] = []
  let total = 0n
  for (const each of all) {
    if (total >= need) break
    if (each.locktime > 0n || each.input.assetID !== assetID) continue
    taken.push(each)
    total += each.amount
  }
  return total >= need ? taken : undefined
}

export const inOrder = (taken: readonly Spendable[]): Spendable[] => [...taken].sort((a, b) => compareInputs(a.input, b.input))

/** A random owner: one address, several, two of three, or none, sometimes with a lock time. */
export function someOwner(random: Random, now: bigint): OutputOwners {
  const count = random.pick([1, 1, 1, 1, 2, 3, 0])
  const addresses = shuffled(people, random)
    .slice(0, count)
    .map(({ address }) => address)
    .sort()
  const threshold = count === 3 ? 2 : count === 0 ? 0 : 1
  const locktime = random.below(12) === 0 ? addOverTime(now, 1n, BigInt(random.below(200))) : 0n
  return { kind: "OutputOwners", locktime, threshold, addresses }
}

export function outputOf(random: Random, now: bigint, assetID: ID, amount: bigint): TransferableOutput {
  const { locktime, threshold, addresses } = someOwner(random, now)
  const output: TransferOutput = { kind: "TransferOutput", amount, locktime, threshold, addresses }
  if (random.below(10) > 0) return { assetID, output }
  return { assetID, output: { kind: "LockOut", locktime: now + BigInt(random.below(300)) - 100n, output } }
}
