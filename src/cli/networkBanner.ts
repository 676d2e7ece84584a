import { ewoq, vmRQ } from "../core/genesis/testKeys.js"
import { printJson } from "../core/lib/json.js"
import { hrpOf } from "../core/networks/names.js"
import { addressText } from "../core/types/address.js"
import type { LocalNetwork, NodeStatus } from "../launcher/localNetwork.js"
import type { NodeProcess } from "../launcher/nodeProcess.js"
import { type Column, textTable } from "./textTable.js"

const columns: readonly Column<NodeProcess>[] = [
  { title: "Node", cell: ({ member }) => member.name },
  { title: "Program", cell: ({ member }) => member.program },
  { title: "URL", cell: ({ url }) => url },
  { title: "Node ID", cell: ({ member }) => member.nodeID },
  { title: "Process", isNumber: true, cell: ({ pid }) => String(pid) },
]

/** Returns the text for people when all nodes of a local network are ready. */
export function networkBanner({ directory, nodes }: LocalNetwork, rules: string): string {
  const { networkID, dir } = directory
  const keys = fundedKeys(networkID).map(({ privateKey, address }) => `  ${privateKey}  ${address}\n`)
  return `
A network of ${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}: network ${networkID}, ${rules}

${textTable(columns, nodes)}
Funded keys, which are public
${keys.join("")}
Data      ${dir}
Logs      ${dir}/node*/node.log

Ctrl-C stops all nodes.
`
}

/** Prints the same facts as one line of JSON for scripts. */
export function networkJson({ directory, nodes }: LocalNetwork): string {
  const { networkID, dir } = directory
  const facts = {
    networkID,
    dir,
    nodes: nodes.map(({ member, url, pid, command, logFile }) => {
      const { name, program, nodeID } = member
      return { name, program, url, nodeID, pid, command, logFile }
    }),
    keys: fundedKeys(networkID),
  }
  return `${printJson(facts)}\n`
}

/** Prints one line about a node that stopped or started answering. */
export function nodeStatusLine({ node, isUp }: NodeStatus, upCount: number, count: number): string {
  const { member, exit } = node
  const change = isUp ? "is up" : exit === undefined ? "does not answer" : `is down (${exitText(exit)})`
  return `${member.name} ${change}: ${upCount} of ${count} nodes are up\n`
}

const exitText = (exit: number | string) => (typeof exit === "number" ? `exit code ${exit}` : exit)

function fundedKeys(networkID: number): { readonly privateKey: string; readonly address: string }[] {
  const hrp = hrpOf(networkID)
  return [ewoq, vmRQ].map(({ privateKey, address }) => ({ privateKey, address: addressText(address, hrp) }))
}
