import type { Tx } from "../../../src/core/txs/tx.js"
import type { ID, NodeID } from "../../../src/core/types/id.js"
import { type Key, keyOf } from "../../fixtures/keys.js"
import { idOfByte, nodeIDOfByte } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { type Draft, draft, type Wish } from "./draft.js"
import type { Model } from "./model.js"
import type { ModelStaker, ModelSubnet } from "./modelRows.js"

export const X_CHAIN = idOfByte(0x58)
export const people: readonly Key[] = [1, 2, 3, 4].map(keyOf)
export const nodes: readonly NodeID[] = [1, 2, 3, 4, 5, 6].map(nodeIDOfByte)

/** The shortest stake of the random chain, seconds. */
export const MIN_DURATION = 60n

/** The same for validators of the primary network from Helicon on. */
export const HELICON_MIN_DURATION = 30n

/** An attempt: a transaction, the verdict of the model, and the effect on the model. */
export interface Attempt {
  readonly name: string
  readonly draft: Draft
  /** The code with which the transaction must be refused; `undefined` if it must be accepted. */
  readonly code: string | undefined
  readonly apply: (tx: Tx) => void
}

/** The inputs of an attempt. */
export interface Scene {
  readonly model: Model
  readonly random: Random
  /** nAVAX for a unit of gas. */
  readonly price: bigint
  /** Pending and current validators that this block has removed so far; the block cannot add them again. */
  readonly removed: Set<string>
  /** Validators that the block has added. */
  readonly added: Set<string>
}

export type Action = (scene: Scene) => Attempt | undefined

/** Makes an attempt of a wish; `undefined` if the payer cannot pay. */
export function attempt(
  name: string,
  { model, price }: Scene,
  wish: Wish,
  code: string | undefined,
  apply: (tx: Tx) => void = () => {},
): Attempt | undefined {
  const made = draft(model, price, wish)
  return made && { name, draft: made, code, apply }
}

/** The code of the first rule that is broken, in the order in which they are checked; none where all hold. */
export function firstBroken(...rules: readonly (readonly [isBroken: boolean, code: string])[]): string | undefined {
  return rules.find(([isBroken]) => isBroken)?.[1]
}

export const auth = { kind: "Input" as const, signatureIndices: [0] }
export const someone = ({ random }: Scene): Key => random.pick(people)

export function someSubnet({ model, random }: Scene): [ID, ModelSubnet] | undefined {
  return model.subnets.size === 0 ? undefined : random.pick([...model.subnets])
}

/** Returns mostly one of these nodes, and sometimes any node. */
export function mostly({ random }: Scene, some: readonly NodeID[]): NodeID {
  return some.length > 0 && random.below(4) > 0 ? random.pick(some) : random.pick(nodes)
}

/** The current and pending validators of the primary network. */
export const validating = ({ model }: Scene): NodeID[] => nodes.filter((nodeID) => model.validatorAt(nodeID))

/** The times of a stake, Unix seconds: the start and end in its transaction, and the time at which it begins. */
export interface Period {
  readonly start: bigint
  readonly end: bigint
  readonly begins: bigint
  readonly duration: bigint
}

/** The start and end of a stake of at most `longest` seconds: from Durango on it begins at once. */
export function period({ model, random }: Scene, longest: number, shortest = MIN_DURATION): Period {
  const start = model.time + BigInt(1 + random.below(20))
  const begins = model.isDurango ? model.time : start
  const duration = random.below(8) === 0 ? shortest - 1n : shortest + BigInt(random.below(longest))
  return { start, end: begins + duration, begins, duration }
}

/** Returns whether a stake is outside the period of the staker that it depends on. */
export const isOutside = ({ begins, end }: Period, staker: ModelStaker | undefined): boolean =>
  staker !== undefined && (begins < staker.start || end > staker.end)
