import type { ID } from "../types/id.js"
import type { Block } from "./block.js"

/** A change of the accepted state: a block was accepted, the chain went back to an earlier one, or somebody wrote into the state by hand. */
export type AcceptedEvent =
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "revert"; readonly id: ID; readonly height: bigint }
  | { readonly kind: "override" }
