import type { MessageCount } from "../../core/p2p/traffic.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import type { JoinedChain } from "./joinedChain.js"

export function registerJoinedMetrics(registry: Registry, joined: JoinedChain): void {
  const peers = () => joined.status.peers
  const traffic = () => peers()?.traffic
  const counter = (name: string, help: string, read: () => Readonly<Record<string, number>>) =>
    registry.gauges(name, help, "kind", read, "counter")
  registry.gauge("serac_peers", "Peers whose handshake is complete", () => peers()?.status().length)
  registry.gauge("serac_peer_validators", "Validators among them", () => peers()?.connectedValidators().length)
  const stakeShare = () => joined.status.connectedStakeShare
  registry.gauge("serac_connected_stake_ratio", "Share of the stake that is connected, 0 to 1", stakeShare)
  counter("serac_peer_messages_received_total", "Messages from peers", () => counts(traffic()?.received, "messages"))
  counter("serac_peer_bytes_received_total", "Bytes of messages from peers", () => counts(traffic()?.received, "bytes"))
  counter("serac_peer_messages_sent_total", "Messages to peers", () => counts(traffic()?.sent, "messages"))
  counter("serac_peer_bytes_sent_total", "Bytes of messages to peers", () => counts(traffic()?.sent, "bytes"))
  const unsent = () => traffic()?.unsent
  registry.gauge("serac_peer_messages_unsent_total", "Messages to slow peers that were dropped", unsent, "counter")
  const failRate = () => peers()?.sendFailRate
  registry.gauge("serac_peer_send_fail_ratio", "Share of messages that could not be sent lately, 0 to 1", failRate)
  registry.gauge(
    "serac_benched_validators",
    "Validators that are not waited for",
    () => joined.status.engine?.bench.benched.length,
  )
  const consensus = () => joined.status.engine?.consensus
  registry.gauge("serac_polls_total", "Polls of validators since it follows", () => consensus()?.polls.started, "counter")
  registry.gauge("serac_polls_pending", "Polls that are not finished", () => consensus()?.polls.count)
  const isValidating = () => Number(joined.status.isValidating)
  registry.gauge("serac_validating", "1 where the node votes and proposes blocks, else 0", isValidating)
  registry.gauge("serac_proposed_blocks_total", "Blocks that the node proposed", () => joined.blocksProposed, "counter")
  registry.gauge("serac_processing_blocks", "Blocks that are not decided", () => consensus()?.tree.processingCount)
  const isBootstrapped = () => Number(joined.status.isBootstrapped)
  registry.gauge("serac_bootstrapped", "1 where the chain is followed, 0 while it catches up", isBootstrapped)
  const progress = () => joined.status.engine?.progress
  const height = () => Number(joined.status.lastAccepted.height)
  registry.gauge("serac_sync_height", "Height of the last executed block", height)
  registry.gauge("serac_sync_target_height", "Height that it catches up to", () => numberOf(progress()?.target))
  registry.gauge("serac_sync_fetched_blocks", "Blocks that wait to be executed", () => numberOf(progress()?.waiting))
  const behindBlocks = () => joined.status.lead.blocks
  registry.gauge("serac_behind_blocks", "Blocks by which most of the connected stake is ahead", behindBlocks)
  const behind = () => joined.status.lead.sinceMs(joined.status.steadyNow()) / 1000
  registry.gauge("serac_behind_seconds", "Time since most of the connected stake accepted a block that the node lacks", behind)
  const offset = () => joined.status.clockOffset
  registry.gauge(
    "serac_clock_offset_seconds",
    "Time by which the machine's clock is ahead of those of peers; below 0 if behind",
    offset,
  )
  registerUptime(registry, joined)
  const age = () => joined.status.lastAcceptedAgo / 1000
  registry.gauge("serac_last_block_age_seconds", "Time since the last block was accepted", age)
}

/** Registers what validators report of this node's uptime, as AvalancheGo does (`avalanche_network_node_uptime_…`). */
function registerUptime(registry: Registry, joined: JoinedChain): void {
  const uptime = () => joined.status.observedUptime
  const shareOf = (percentage: number | undefined) => percentage && percentage / 100
  registry.gauge(
    "serac_uptime_rewarding_stake_ratio",
    "Share of the stake that saw this validator online for long enough for a reward, 0 to 1",
    () => shareOf(uptime()?.rewardingStakePercentage),
  )
  registry.gauge(
    "serac_uptime_refusing_stake_ratio",
    "Share of the stake that saw this validator online for too short a time, 0 to 1",
    () => shareOf(uptime()?.refusingStakePercentage),
  )
  registry.gauge("serac_uptime_weighted_average_ratio", "Uptime of this validator as the stake saw it, 0 to 1", () =>
    shareOf(uptime()?.weightedAveragePercentage),
  )
}

function counts(flows: ReadonlyMap<string, MessageCount> | undefined, what: keyof MessageCount): Record<string, number> {
  return Object.fromEntries([...(flows ?? [])].map(([kind, flow]) => [kind, flow[what]]))
}

const numberOf = (value: bigint | undefined) => (value === undefined ? undefined : Number(value))
