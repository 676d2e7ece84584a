import type { ID } from "../types/id.js"
import type { Block } from "./block.js"

/** A change of the accepted state: a block was accepted, the chain was reverted to an earlier block, or an override changed the state. */
export type AcceptedEvent =
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "revert"; readonly id: ID; readonly height: bigint }
  | { readonly kind: "override" }
