import { type Call, nodeClient } from "../client/client.js"
import type { NodeProcess } from "./nodeProcess.js"

/** Time that a node may take to answer a probe. A program that took the port of a node may accept connections and never answer. */
const TIMEOUT_MS = 5_000

type ProbedNode = Pick<NodeProcess, "url" | "member">

/** Returns whether a node has caught up with its network and is connected to this many others. `signal` aborts the request. */
export async function isReady(node: ProbedNode, others: number, signal: AbortSignal): Promise<boolean> {
  return isTrue(node, signal, async (call) => {
    const { isBootstrapped } = await call("info.isBootstrapped", { chain: "P" })
    return isBootstrapped && Number((await call("info.peers")).numPeers) >= others
  })
}

/** Returns whether the node itself answers, and not another program at its port. `signal` aborts the request. */
export async function isAnswering(node: ProbedNode, signal: AbortSignal): Promise<boolean> {
  return isTrue(node, signal, async () => true)
}

async function isTrue({ url, member }: ProbedNode, signal: AbortSignal, ask: (call: Call) => Promise<boolean>): Promise<boolean> {
  // Node 20 may garbage-collect the signals of `AbortSignal.any` before they fire.
  const limit = new AbortController()
  const abort = () => limit.abort()
  const timer = setTimeout(abort, TIMEOUT_MS)
  signal.addEventListener("abort", abort)
  const headers = { "content-type": "application/json" }
  const call = nodeClient(async (path, body) => {
    return (await fetch(url + path, { method: "POST", headers, body, signal: limit.signal })).text()
  })
  try {
    return (await call("info.getNodeID")).nodeID === member.nodeID && (await ask(call))
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", abort)
  }
}
