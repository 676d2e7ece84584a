import { type Encoding, toHexText } from "../../../core/types/hexText.js"
import { Raw } from "../../../jsonrpc/method.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** Refuses `json` where there is none: always, or as AvalancheGo only once there is something to encode. */
export function checkTextEncoding(encoding: Encoding, { dialect }: Context): void {
  if (encoding === "json" && dialect === "contract")
    throw platformError("platform.unsupported_encoding", { encoding, reference: "" })
}

/** Bytes as text; `what` begins AvalancheGo's refusal of `json`. */
export function textOf(bytes: Uint8Array, encoding: Encoding, what: () => string): string {
  if (encoding === "json") throw platformError("platform.unsupported_encoding", { encoding, reference: what() })
  return toHexText(bytes, encoding)
}

/** The answer that is one thing in an encoding, given as JSON. */
export function encoded(name: string, encoding: Encoding, json: string): Raw {
  return new Raw(Buffer.from(`{"${name}":${json},"encoding":"${encoding}"}`))
}
