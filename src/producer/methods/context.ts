import { methodWith } from "../../jsonrpc/method.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { NodePort } from "../../services/context.js"
import type { ChainHosting } from "../chainHosting.js"
import type { PrivateChain } from "../privateChain.js"

/** Context of the methods of `dev`. It holds no snapshot, because the methods can take long, and a store on disk would grow meanwhile. */
export interface DevContext {
  readonly dialect: Dialect
  readonly node: NodePort
  readonly chain: PrivateChain
  /** The VMs of the node; `undefined` if it hosts none. */
  readonly l1s: ChainHosting | undefined
}

export const devMethod = methodWith<DevContext>()
