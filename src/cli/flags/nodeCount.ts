import type { NodeProgram } from "../../node/localNetwork/networkDirectory.js"
import type { FlagType } from "./flags.js"

const MAX_NODES = 20

/** The nodes of a network as a count, `5`, or as counts of Serac's and AvalancheGo's nodes, `2+3`. */
export const nodeCount: FlagType<readonly NodeProgram[]> = {
  value: "N|N+M",
  expects: `1 to ${MAX_NODES} nodes: a count such as 5, or counts of Serac's and AvalancheGo's nodes such as 2+3`,
  read(given) {
    const counts = /^(\d{1,2})(?:\+(\d{1,2}))?$/.exec(String(given))
    if (!counts) return undefined
    const [ours, theirs] = [Number(counts[1]), Number(counts[2] ?? 0)]
    if (ours + theirs < 1 || ours + theirs > MAX_NODES) return undefined
    return [...Array<NodeProgram>(ours).fill("serac"), ...Array<NodeProgram>(theirs).fill("avalanchego")]
  },
}
