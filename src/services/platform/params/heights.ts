import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** Throws `platform.future_height` where the chain has not come to a height yet. `begins`: how AvalancheGo begins to say so. */
export function requireReached(height: bigint, context: Context, begins: (height: bigint) => string = () => ""): void {
  if (height <= context.height) return
  throw platformError("platform.future_height", { height, lastAccepted: context.height, reference: begins(height) })
}
