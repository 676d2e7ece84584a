import { join } from "node:path"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { printJson } from "../core/lib/json.js"
import type { LogData } from "../core/lib/log.js"
import { networkNameOf } from "../core/networks/names.js"
import { rulesInForce } from "../core/networks/upgrades.js"
import { idText, nodeIDText } from "../core/types/id.js"
import { C_CHAIN_TIP } from "../evm/transaction.js"
import type { Node } from "../node/node.js"
import { version } from "../node/version.js"
import { backendNames } from "../platform/backends.js"
import type { PrivateNode } from "../sources/private/privateNode.js"
import { accountList } from "./accountList.js"
import { docsFolder } from "./docsFolder.js"
import { forkFacts, forkRows } from "./forkRows.js"
import { remoteNodeFlags } from "./remoteNode.js"

/** Prints the banner as one line of JSON for scripts. */
export function bannerJson(chain: PrivateNode): string {
  // Without EVM addresses, which scripts get from the key: the hash function that makes them takes a while to load.
  const keys = chain.accounts().map(({ privateKey, privateKeyHex, address, balance, path }) => {
    return { privateKey, privateKeyHex, address, ...(path === undefined ? {} : { path }), balance: balance.toString() }
  })
  const facts = { ...factsOf(chain), ...forkFacts(chain), dataDir: chain.dataDir ?? null, height: chain.height().toString() }
  return `${printJson({ ...facts, keys, mnemonic: chain.phrase.mnemonic, ...l1Facts(chain) })}\n`
}

/**
 * Returns the text for people, which fits one screen: the node's address, its identity, the rules, the state of the chain, the place of its
 * data, and the first funded accounts.
 */
export function bannerOf(chain: PrivateNode, hasPage: boolean): string {
  const url = chain.listening?.url ?? ""
  const listing = `serac dev accounts${url === remoteNodeFlags.url.default ? "" : ` --url ${url}`}`
  const rows = [
    ...pathsOf(chain, [...pageOf(hasPage), "P-Chain", "Dev"]),
    ...whoIs(chain),
    ...forkRows(chain),
    ...cChainRow(chain),
    ...l1Rows(chain),
    ["Height", groupThousands(chain.height())],
    ["Clock", clockText(chain)],
    ["Data", chain.dataDir ?? "in memory, lost when it stops"],
    ...docsRow(),
  ]
  return `
Serac ${version}: a private P-Chain${chain.fork ? " on top of a real one" : ""}

${table(rows)}
${accountList(chain.accounts(), { ...chain.phrase, listing })}
Ctrl-C stops it.
`
}

/** The C-Chain, which may be starting, with the tip with which its blocks come at once. */
function cChainRow({ l1s, listening }: PrivateNode): Row[] {
  const found = l1s?.cChain
  if (!found) return []
  if (found.state === "stopped" || found.state === "restarting")
    return [["C-Chain", `${found.state}: ${found.reason ?? "--c-chain off"}`]]
  const tip = `${C_CHAIN_TIP / 1_000_000_000n} gwei`
  return [
    ["C-Chain", `${listening?.url ?? ""}/ext/bc/C/rpc, chain ID ${found.evmChainID}, blocks come at once with a tip of ${tip}`],
  ]
}

/** The L1s whose VMs run, each with the address of its RPC and its chain ID. */
function l1Rows({ l1s, listening }: PrivateNode): Row[] {
  return (l1s?.list() ?? []).map(({ name, paths, evmChainID, state }) => {
    const path = paths.find((each) => each.endsWith("/rpc")) ?? paths[0]
    const address = path === undefined ? state : `${listening?.url ?? ""}${path}`
    return [`L1 ${name}`, evmChainID === undefined ? address : `${address}, chain ID ${evmChainID}`]
  })
}

/** The same for scripts; nothing on a node without plugins. */
function l1Facts({ l1s }: PrivateNode) {
  if (!l1s) return {}
  const facts = l1s.list().map(({ name, chainID, state, paths, evmChainID }) => {
    return {
      name,
      chainID: idText(chainID),
      state,
      paths,
      ...(evmChainID === undefined ? {} : { evmChainID: String(evmChainID) }),
    }
  })
  const found = l1s.cChain
  const cChain = found && {
    ...{ chainID: idText(found.chainID), state: found.state, path: "/ext/bc/C/rpc" },
    ...{ evmChainID: String(found.evmChainID), tip: String(C_CHAIN_TIP) },
  }
  return { l1s: facts, ...(cChain ? { cChain } : {}) }
}

/** The clock's time, and how it differs from the machine's. */
function clockText({ now, privateChain }: PrivateNode): string {
  const { offset, isFrozen } = privateChain.clock
  const difference =
    offset === 0n ? "as on this machine" : `${spanText(offset)} ${offset < 0n ? "behind" : "ahead of"} this machine`
  return `${printRfc3339(now())}, ${isFrozen ? "frozen, " : ""}${difference}`
}

/** A number of seconds for people: `30 days 01:02:03`. */
function spanText(span: bigint): string {
  const seconds = span < 0n ? -span : span
  const [days, rest] = [seconds / 86_400n, Number(seconds % 86_400n)]
  const clock = new Date(rest * 1000).toISOString().slice(11, 19)
  return days === 0n ? clock : `${groupThousands(days)} ${days === 1n ? "day" : "days"} ${clock}`
}

function docsRow(): Row[] {
  const docs = docsFolder()
  return docs === undefined ? [] : [["Docs", join(docs, "quick-start.md")]]
}

/** Prints the banner of a chain that is only read as JSON. */
export function servedJson(chain: Node): string {
  return `${printJson({ ...factsOf(chain), dataDir: chain.dataDir ?? null, height: chain.height().toString() })}\n`
}

export function servedBanner(chain: Node, { isPublic, hasPage }: { isPublic: boolean; hasPage: boolean }): string {
  const rows = [
    ...pathsOf(chain, [...pageOf(hasPage), "P-Chain", "Info", ...(isPublic ? [] : (["Keystore"] as const)), "API"]),
    ...(isPublic ? whoIs(chain).slice(0, 2) : whoIs(chain)),
    ["Height", groupThousands(chain.height())],
    ["Data", chain.dataDir ?? ""],
  ]
  return `
Serac ${version}: a P-Chain to read${isPublic ? ", for the public" : ""}

${table(rows)}
Ctrl-C stops it.
`
}

/** Prints the banner of a joined node as JSON. */
export function joinedJson(node: Node): string {
  return `${printJson({ ...factsOf(node), dataDir: node.dataDir ?? null })}\n`
}

export function joinedBanner(node: Node, hasPage: boolean): string {
  const data = node.dataDir ?? "in memory, lost when it stops"
  return `
Serac ${version}: a node of the network ${networkNameOf(node.data.rules.networkID)}, P-Chain only

${table([...pathsOf(node, [...pageOf(hasPage), "P-Chain", "Info", "API"]), ...whoIs(node), ["Data", data]])}
Ctrl-C stops it.
`
}

const pageOf = (hasPage: boolean) => (hasPage ? (["Page"] as const) : [])

const paths = {
  Page: "/",
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

const table = (rows: readonly Row[]): string => rows.map(([name, value]) => `${name!.padEnd(9)} ${value}\n`).join("")

/** Returns the facts of the banner for the log, which machines read. */
export function startFacts(node: Node): LogData {
  const { networkID } = node.data.rules
  return { version, ...factsOf(node), network: networkNameOf(networkID), height: node.height(), ...backendNames() }
}

const factsOf = ({ listening, data, identity }: Node) => ({
  url: listening?.url ?? null,
  networkID: data.rules.networkID,
  nodeID: nodeIDText(identity.nodeID),
})
