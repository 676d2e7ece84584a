import { grouped } from "../core/lib/grouped.js"
import { printJson } from "../core/lib/json.js"
import type { LogData } from "../core/lib/log.js"
import { networkNameOf } from "../core/networks/names.js"
import { AVAX } from "../core/networks/params.js"
import { rulesInForce } from "../core/networks/rulesInForce.js"
import { nodeIDText } from "../core/types/id.js"
import type { JoinedNode } from "../node/joinedNode.js"
import type { Node } from "../node/node.js"
import type { PrivateChain } from "../node/privateChain.js"
import type { ServedChain } from "../node/serve.js"
import { version } from "../node/version.js"

/** What scripts read: one line. */
export function bannerJson(chain: PrivateChain): string {
  const keys = chain.accounts().map(({ privateKey, address, balance }) => ({ privateKey, address, balance: balance.toString() }))
  return `${printJson({ ...factsOf(chain), dataDir: chain.dataDir ?? null, keys })}\n`
}

/** What people read: where it answers, who it is, which rules apply, who has funds, where data lies. */
export function bannerOf(chain: PrivateChain): string {
  const data = chain.dataDir ?? "in memory, gone when it stops"
  const keys = chain.accounts().map(({ privateKey, address, balance }) => {
    return `  ${privateKey}\n  ${address}  ${grouped(balance / AVAX)} AVAX\n`
  })
  return `
Serac ${version}: a private P-Chain

${table([...pathsOf(chain, ["P-Chain", "Info", "Keystore", "Dev", "API"]), ...whoIs(chain), ["Data", data]])}
Funded keys (public: never use them elsewhere)
${keys.join("")}
Ctrl-C stops it.
`
}

/** The same of a chain that is only read. */
export function servedJson(chain: ServedChain): string {
  return `${printJson({ ...factsOf(chain), dataDir: chain.dataDir, height: chain.height().toString() })}\n`
}

export function servedBanner(chain: ServedChain, isPublic: boolean): string {
  const rows = [
    ...pathsOf(chain, ["P-Chain", "Info", ...(isPublic ? [] : (["Keystore"] as const)), "API"]),
    ...(isPublic ? whoIs(chain).slice(0, 2) : whoIs(chain)),
    ["Height", grouped(chain.height())],
    ["Data", chain.dataDir],
  ]
  return `
Serac ${version}: a P-Chain to read${isPublic ? ", for everybody" : ""}

${table(rows)}
Ctrl-C stops it.
`
}

/** The same of a node among others. */
export function joinedJson(node: JoinedNode): string {
  return `${printJson({ ...factsOf(node), dataDir: node.dataDir ?? null })}\n`
}

export function joinedBanner(node: JoinedNode): string {
  const data = node.dataDir ?? "in memory, gone when it stops"
  return `
Serac ${version}: a node of the network ${networkNameOf(node.data.rules.networkID)}, P-Chain only

${table([...pathsOf(node, ["P-Chain", "Info", "API"]), ...whoIs(node), ["Data", data]])}
Ctrl-C stops it.
`
}

const paths = {
  "P-Chain": "/ext/bc/P",
  Info: "/ext/info",
  Keystore: "/ext/keystore",
  Dev: "/ext/dev",
  API: "/ext/openrpc.json",
} as const

type Row = readonly string[]

const pathsOf = ({ listening }: Node, names: readonly (keyof typeof paths)[]): Row[] =>
  names.map((name) => [name, `${listening?.url ?? ""}${paths[name]}`])

function whoIs({ data, identity, now }: Node): Row[] {
  const { networkID } = data.rules
  return [
    ["Network", `${networkNameOf(networkID)} (${networkID})`],
    ["Rules", rulesInForce(data.rules.upgrades, now())],
    ["Node ID", nodeIDText(identity.nodeID)],
  ]
}

const table = (rows: readonly Row[]): string => rows.map(([name, value]) => `${name!.padEnd(10)}${value}\n`).join("")

/** What the log says of a start, for machines: the same facts as the banner. */
export function startFacts(node: Node): LogData {
  return { version, ...factsOf(node), network: networkNameOf(node.data.rules.networkID), height: node.height() }
}

const factsOf = ({ listening, data, identity }: Node) => ({
  url: listening?.url ?? null,
  networkID: data.rules.networkID,
  nodeID: nodeIDText(identity.nodeID),
})
