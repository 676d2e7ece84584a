import type { pvm } from "@avalabs/avalanchejs"
import type { World } from "./world.js"

/** Everything in the library that builds a P-Chain transaction. */
export type Builder = Extract<keyof typeof pvm, `new${string}Tx`>

/** A transaction that the library builds, and the check of its effect by calls of the same library. */
export interface Step {
  readonly builder: Builder
  readonly title: string
  run(world: World): Promise<void>
}
