import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** Throws `platform.future_height` if the chain has not reached a height yet. `begins` is the start of AvalancheGo's message. */
export function requireReached(height: bigint, context: Context, begins: (height: bigint) => string = () => ""): void {
  if (height <= context.height) return
  throw platformError("platform.future_height", { height, lastAccepted: context.height, reference: begins(height) })
}
