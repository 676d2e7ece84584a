import { methodWith } from "../../jsonrpc/method.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { NodePort } from "../../services/context.js"
import type { Dev } from "../dev/dev.js"

/** What the methods of `dev` are given. They may take long and hold no snapshot, for which a store on disk would grow. */
export interface DevContext {
  readonly dialect: Dialect
  readonly node: NodePort
  readonly dev: Dev
}

export const devMethod = methodWith<DevContext>()
