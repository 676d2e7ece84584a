import { cChainReports } from "./cChain.js"
import { explorerReports } from "./explorer.js"
import { followReports } from "./follow.js"
import type { Bench, Report } from "./harness.js"
import { keystoreReports } from "./keystore.js"
import { peerReports, peers } from "./peers.js"
import { platformReports } from "./platform.js"
import { producerReports } from "./producer.js"
import { publishReports } from "./publish.js"
import { replayReports } from "./replay.js"
import { replayFileReports } from "./replayFile.js"
import { rpcReports } from "./rpc.js"
import { startupReports } from "./startup.js"
import { store } from "./store.js"
import { wire } from "./wire.js"

/** Every bench. A new list of them is one file and one line here. */
export const benches: readonly Bench[] = [...wire, ...store, ...peers]

/** Every longer measurement. */
export const reports: readonly Report[] = [
  ...startupReports,
  ...cChainReports,
  ...keystoreReports,
  ...replayReports,
  ...replayFileReports,
  ...explorerReports,
  ...followReports,
  ...publishReports,
  ...peerReports,
  ...platformReports,
  ...producerReports,
  ...rpcReports,
]
