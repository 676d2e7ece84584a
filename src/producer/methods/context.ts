import { methodWith } from "../../jsonrpc/method.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { NodePort } from "../../services/context.js"
import type { L1Hosting } from "../l1Hosting.js"
import type { PrivateChain } from "../privateChain.js"

/** Context of the methods of `dev`. It holds no snapshot, because the methods can take long, and a store on disk would grow meanwhile. */
export interface DevContext {
  readonly dialect: Dialect
  readonly node: NodePort
  readonly chain: PrivateChain
  /** The VMs of the node; `undefined` if it hosts none. */
  readonly l1s: L1Hosting | undefined
}

export const devMethod = methodWith<DevContext>()
