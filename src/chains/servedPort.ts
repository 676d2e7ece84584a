import type { ChainData } from "../chaindata/chainData.js"
import { nodeError } from "../chaindata/errors.js"
import { chainTimeOf } from "../core/rules/context.js"
import { heightOf } from "../core/state/tables.js"
import type { ChainPort } from "../services/context.js"
import type { Store } from "../store/store.js"

/** Makes the port of a chain whose blocks others make. Its clock stays at the time of its last block. */
export function servedPort(store: Store, { genesis }: ChainData): ChainPort {
  const last = () => heightOf(store.latest)
  return {
    now: () => chainTimeOf(store.latest),
    uptimeOf: () => undefined,
    proposedHeight: last,
    currentEpoch: () => ({ pChainHeight: last(), number: 1n, startTime: genesis.timestamp }),
    txStatus: () => undefined,
    mempoolSize: () => 0,
    async issueTx() {
      throw nodeError("node.read_only")
    },
  }
}
