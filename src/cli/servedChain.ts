import type { Log } from "../core/lib/log.js"
import type { Node } from "../node/node.js"
import type { ServingProcess } from "../node/processes/servingProcess.js"
import { servedBanner, servedJson, startFacts } from "./banner.js"
import { dataFlags, historyFlags, writeFlags } from "./flags/chainFlags.js"
import { type CommandInput, flagWithDefault } from "./flags/flags.js"
import { onOff } from "./flags/flagTypes.js"
import { identityFlags, identityOf, identityRules } from "./flags/identityFlags.js"
import {
  enabledServicesOf,
  httpOptionsOf,
  serverFlagNames,
  serverFlags,
  serverRules,
  servesPage,
  watchedL1sOf,
} from "./flags/serverFlags.js"
import type { FlagRule } from "./flags/withoutEffect.js"
import { untilUncaught } from "./lastResort.js"
import type { Terminal } from "./terminal.js"
import { stopWithin, untilStopped } from "./untilStopped.js"

/** The flags of a command that serves a chain which it does not make itself. */
export const servedChainFlags = {
  ...dataFlags,
  ...writeFlags,
  ...historyFlags,
  ...serverFlags,
  json: flagWithDefault(onOff, "Prints one line of JSON for scripts instead of a banner", false),
  ...identityFlags,
}

/** What these flags need and exclude. */
export const servedChainRules: readonly FlagRule[] = [...serverRules, ...identityRules]

/** The same flags by group, for the help of these commands. */
export const servedChainGroups = {
  Server: serverFlagNames,
  Data: [...Object.keys(dataFlags), ...Object.keys(writeFlags), ...Object.keys(historyFlags), "json"],
  "Staking keys": Object.keys(identityFlags),
}

type ServedChainFlags = CommandInput<typeof servedChainFlags>["flags"]

/** Returns the options of a node from these flags. */
export function servedChainOptionsOf(flags: ServedChainFlags, terminal: Terminal, log: Log) {
  return {
    dataDir: flags["data-dir"],
    allowsSharedVolume: flags["shared-volume"],
    minFreeDisk: flags["min-free-disk"],
    history: flags.history,
    enabledServices: enabledServicesOf(flags),
    dialect: flags["api-dialect"],
    isPublic: flags.public,
    cacheBytes: flags["answer-cache-size"] * 1024 * 1024,
    http: httpOptionsOf(flags),
    identity: identityOf(flags),
    watchedL1s: watchedL1sOf(flags),
    log,
    wall: () => terminal.now(),
  }
}

/**
 * Prints the address of a served chain, and waits until the process is stopped. One of several processes reports the address to the main
 * process instead, which stops it.
 */
export async function serveUntilStopped(
  node: Node,
  flags: ServedChainFlags,
  terminal: Terminal,
  log: Log,
  servingProcess?: ServingProcess,
): Promise<void> {
  const stdin = flags["stop-with-stdin"] ? terminal.stdin : undefined
  const stopped = servingProcess
    ? Promise.race([servingProcess.stopped, node.failed, untilUncaught()])
    : untilStopped({ failed: node.failed, stdin })
  try {
    const options = { isPublic: flags.public, hasPage: servesPage(flags) }
    const banner = flags.json ? servedJson(node) : servedBanner(node, options)
    if (servingProcess) servingProcess.ready(banner)
    else await terminal.print(banner)
    if (terminal.columns === undefined) log.info("start", startFacts(node))
    log.info("stop", { reason: await stopped })
  } finally {
    await stopWithin(flags["http-shutdown-timeout"], terminal, () => node.stop())
  }
}
