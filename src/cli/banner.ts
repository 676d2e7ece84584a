import { printJson } from "../lib/json.js"
import { networkNameOf } from "../networks/names.js"
import { AVAX } from "../networks/params.js"
import type { PrivateChain } from "../node/privateChain.js"
import { version } from "../node/version.js"
import { nodeIDText } from "../types/id.js"
import { grouped } from "./progress.js"

/** What scripts read: one line. */
export function bannerJson(chain: PrivateChain): string {
  const { networkID } = chain.data.rules
  return `${printJson({
    url: chain.listening?.url ?? null,
    networkID,
    nodeID: nodeIDText(chain.identity.nodeID),
    dataDir: chain.dataDir ?? null,
    keys: chain.accounts().map(({ privateKey, address, balance }) => ({ privateKey, address, balance: balance.toString() })),
  })}\n`
}

/** What people read: where it answers, who it is, who has funds, where data lies. */
export function bannerOf(chain: PrivateChain): string {
  const { networkID } = chain.data.rules
  const url = chain.listening?.url ?? ""
  const rows = [
    ["P-Chain", `${url}/ext/bc/P`],
    ["Info", `${url}/ext/info`],
    ["Keystore", `${url}/ext/keystore`],
    ["Dev", `${url}/ext/dev`],
    ["API", `${url}/ext/openrpc.json`],
    ["Network", `${networkNameOf(networkID)} (${networkID})`],
    ["Node ID", nodeIDText(chain.identity.nodeID)],
    ["Data", chain.dataDir ?? "in memory, gone when it stops"],
  ]
  const keys = chain.accounts().map(({ privateKey, address, balance }) => {
    return `  ${privateKey}\n  ${address}  ${grouped(balance / AVAX)} AVAX\n`
  })
  return `
Serac ${version}: a private P-Chain

${rows.map(([name, value]) => `${name!.padEnd(10)}${value}\n`).join("")}
Funded keys (public: never use them elsewhere)
${keys.join("")}
Ctrl-C stops it.
`
}
