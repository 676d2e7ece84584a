import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** Throws `platform.future_height` if the chain has not reached a height yet. `begins` is the start of AvalancheGo's message. */
export function requireReached(height: bigint, context: Context, begins: (height: bigint) => string = () => ""): void {
  if (height <= context.height) return
  throw platformError("platform.future_height", { height, lastAccepted: context.height, reference: begins(height) })
}

/**
 * Returns the proposed height as text if the JSON of parameters may ask for it, otherwise an empty text: a result for a number depends on the state
 * alone. A backslash may write a letter of `proposed`.
 */
export function proposedHeightIn({ node }: Context, params: string): string {
  return params.includes("proposed") || params.includes("\\") ? String(node.proposedHeight()) : ""
}
