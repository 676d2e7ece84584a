import type { Encoding } from "../../../core/types/hexText.js"
import { Raw } from "../../../jsonrpc/method.js"
import type { Context } from "../../context.js"
import type { EncodedBytes } from "../../kinds.js"
import { platformError } from "../errors.js"

/** Refuses `json` where there is none: always, or as AvalancheGo only once there is something to encode. */
export function checkTextEncoding(encoding: Encoding, { dialect }: Context): void {
  if (encoding === "json" && dialect === "contract")
    throw platformError("platform.unsupported_encoding", { encoding, reference: "" })
}

/** Bytes in an encoding that has a text for them; `what` begins AvalancheGo's refusal of `json`. */
export function encodedAs(bytes: Uint8Array, encoding: Encoding, what: () => string): EncodedBytes {
  if (encoding === "json") throw platformError("platform.unsupported_encoding", { encoding, reference: what() })
  return { bytes, encoding }
}

/** The answer that is one thing in an encoding, given as JSON. */
export function encoded(name: string, encoding: Encoding, json: string): Raw {
  return new Raw(Buffer.from(`{"${name}":${json},"encoding":"${encoding}"}`))
}
