import type { Log } from "../../core/lib/log.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { defaultDataDir, defaultForkDir } from "../../datadir/places.js"
import { startJoinedNode } from "../../sources/joined/joinedNode.js"
import { type JoinOptions, joinOptionsOf, systemRandom } from "../../sources/joined/joinOptions.js"
import { startPrivateNode } from "../../sources/private/privateNode.js"
import { bannerJson, bannerOf, joinedBanner, joinedJson, startFacts } from "../banner.js"
import { command } from "../command.js"
import { writeNamedFile } from "../files.js"
import { chainChoiceOf, chainFlags, chainRules } from "../flags/chainFlags.js"
import { type CommandInput, type Flag, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff, path, text } from "../flags/flagTypes.js"
import { identityFlags } from "../flags/identityFlags.js"
import { joinFlags, joinRules, joinSettingsOf, joinsNetwork } from "../flags/joinFlags.js"
import { l1Flags, l1OptionsOf, l1Rules } from "../flags/l1Flags.js"
import { peerFlags } from "../flags/peerFlags.js"
import {
  existingChainRules,
  forkOf,
  privateChainFlags,
  privateChainRules,
  producerChoicesOf,
  stateFilesOf,
} from "../flags/privateChainFlags.js"
import { publishFlags, publishOptionsOf, publishRules } from "../flags/publishFlags.js"
import { checkProtections, referenceSwitches, referenceValues } from "../flags/referenceFlags.js"
import { logOf, serverFlagNames, servesPage, warnIfExposed } from "../flags/serverFlags.js"
import { excludes, type FlagRule, logWarnings, warningsOf } from "../flags/withoutEffect.js"
import { withProcessContext } from "../processContext.js"
import { catchUpBar } from "../progress.js"
import { servedChainFlags, servedChainOptionsOf, servedChainRules } from "../servedChain.js"
import type { Terminal } from "../terminal.js"
import { stopWithin, untilStopped } from "../untilStopped.js"

const ignored: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries([
  ...referenceSwitches.map((name) => [name, optionalFlag(onOff, "")]),
  ...referenceValues.map((name) => [name, optionalFlag({ ...text, read: (given: unknown) => String(given) }, "")]),
])

const nodeFlags = {
  ...servedChainFlags,
  "db-dir": optionalFlag(path("DIR"), "AvalancheGo's flag; used as --data-dir if that is not given"),
  ...publishFlags,
  ephemeral: flagWithDefault(onOff, "Stores nothing on the disk", false),
  "process-context-file": optionalFlag(
    path("FILE"),
    "File that names the node's process and addresses while it runs, in AvalancheGo's format",
  ),
  ...privateChainFlags,
  ...l1Flags,
  ...joinFlags,
  ...chainFlags,
  ...ignored,
}

type NodeInput = CommandInput<typeof nodeFlags>

const nodeRules: readonly FlagRule<typeof nodeFlags>[] = [
  ...servedChainRules,
  ...publishRules,
  ...chainRules,
  {
    flags: [...Object.keys(privateChainFlags), ...Object.keys(l1Flags)],
    applies: joinsNetwork,
    reason: "the node joins a network, and only private chains have it",
  },
  ...joinRules,
  ...privateChainRules,
  ...l1Rules,
  excludes(
    "ephemeral",
    ["data-dir", "db-dir", "shared-volume", "min-free-disk", "reset"],
    "--ephemeral stores nothing on the disk",
  ),
  {
    flags: ["shared-volume", "min-free-disk", "reset"],
    applies: (flags) => flags.state !== undefined && (flags["data-dir"] ?? flags["db-dir"]) === undefined,
    reason: "--state without --data-dir stores the chain in one file, and in no directory",
  },
  // AvalancheGo has both flags, and uses both.
  {
    flags: ["db-dir"],
    applies: (flags) => flags["data-dir"] !== undefined && flags["data-dir"] !== flags["db-dir"],
    reason: "--data-dir is given too, and wins",
    refused: "never",
  },
  {
    ...excludes(
      "fork",
      ["genesis-file", "genesis-file-content", "upgrade", "upgrade-file", "upgrade-file-content"],
      "a fork has the genesis and the upgrades of the chain that --fork names",
    ),
    refused: "always",
  },
  // The L1s of a chain in memory would be lost.
  {
    ...excludes(
      "plugin-dir",
      ["state", "dump-state"],
      "a state file has no L1s; --data-dir keeps them, and `serac backup` copies them",
    ),
    refused: "always",
  },
]

/** `serac`, `serac node`: a private P-Chain. */
export const nodeCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Starts a private P-Chain: the local network with AvalancheGo's own genesis, funded keys, blocks at once, time travel and
snapshots under /ext/dev. With --network-id fuji or mainnet, or with --bootstrap-ips, it joins that network instead. The data directory
is ~/.serac/<network> by default; with --ephemeral nothing is stored. Flags that mean the same as AvalancheGo's have its names; its
other flags are accepted with a warning, or refused if they would protect something, such as --http-tls-enabled. A new private chain
has the rules that Mainnet has today, including Helicon, from genesis on. --upgrade chooses others, and an existing chain keeps its
own. SIGINT, SIGTERM and SIGHUP stop the node cleanly.`,
  examples: [
    { call: "serac", does: "a private chain on port 9650" },
    { call: "serac --ephemeral --http-port 0 --json", does: "for scripts: a free port, nothing kept" },
    { call: "serac --accounts 20 --helicon-min-stake-duration 5s", does: "twenty funded accounts, validators for seconds" },
    { call: "serac --state chain.state", does: "continues where it stopped, with the whole chain in one file" },
    { call: "serac --network-id fuji", does: "joins Fuji; docs/joining.md has more" },
    { call: "serac --upgrade granite", does: "the rules before Helicon" },
    { call: "serac --api-dialect avalanchego", does: "for AvalancheGo's own Go clients" },
  ],
  flags: nodeFlags,
  rules: nodeRules,
  groups: {
    Server: serverFlagNames,
    Data: [
      "data-dir",
      "db-dir",
      "shared-volume",
      "history",
      ...Object.keys(publishFlags),
      "ephemeral",
      "json",
      "process-context-file",
    ],
    "Accounts, blocks and time": Object.keys(privateChainFlags),
    L1s: Object.keys(l1Flags),
    Rules: Object.keys(chainFlags),
    Peers: Object.keys(joinFlags).filter((name) => !(name in peerFlags) && !name.startsWith("snow-")),
    "Tuning peers": Object.keys(joinFlags).filter((name) => name in peerFlags || name.startsWith("snow-")),
    "Staking keys": Object.keys(identityFlags),
  },
  async run(given, terminal): Promise<void> {
    const own = withDbDir(given)
    const { flags, set, warnings = [] } = own
    const log = logOf(flags, terminal)
    checkProtections(flags)
    for (const name of [...referenceSwitches, ...referenceValues]) {
      if (set.has(name)) log.warn("this flag of AvalancheGo means nothing to Serac and is ignored", { flag: `--${name}` })
    }
    logWarnings(warnings, log)
    warnIfExposed(flags, log)
    const join = joinOptionsOf(joinSettingsOf(flags), flags["network-id"], systemRandom)
    return join ? runJoined(own, join, log, terminal) : runPrivate(own, log, terminal)
  },
})

/** Uses AvalancheGo's `--db-dir` as the data directory if no other is named. */
function withDbDir(given: NodeInput): NodeInput {
  return { ...given, flags: { ...given.flags, "data-dir": given.flags["data-dir"] ?? given.flags["db-dir"] } }
}

const dataDirOf = (flags: NodeInput["flags"], isFork: boolean): string =>
  flags["data-dir"] ?? (isFork ? defaultForkDir() : defaultDataDir(flags["network-id"]))

/** Returns the options that private chains and joined nodes share. */
function commonOptionsOf(flags: NodeInput["flags"], terminal: Terminal, log: Log) {
  return {
    ...servedChainOptionsOf(flags, terminal, log),
    ...publishOptionsOf(flags),
  }
}

/** Runs a private chain until the process is stopped. */
async function runPrivate(given: NodeInput, log: Log, terminal: Terminal): Promise<void> {
  const { flags, set } = given
  const { loadState, dumpTo } = stateFilesOf(given)
  const fork = forkOf(given)
  const l1Options = l1OptionsOf(flags)
  // A chain that starts at a given time has the genesis of that time, so that its IDs are reproducible.
  const choice = chainChoiceOf(given, flags["start-time"] ?? wholeSeconds(terminal.now()))
  const isEphemeral = flags.ephemeral || (flags.state !== undefined && flags["data-dir"] === undefined)
  const running = await startPrivateNode({
    ...commonOptionsOf(flags, terminal, log),
    dataDir: isEphemeral ? undefined : dataDirOf(flags, fork !== undefined),
    choice: { ...choice, resets: flags.reset },
    fork,
    producer: producerChoicesOf(given, choice.genesisText === undefined && fork === undefined),
    loadState,
    ...l1Options,
  })
  logWarnings(warningsOf(existingChainRules(running, set), given), log)
  // This comes before the banner, because a reader of the banner may stop the node at once.
  const stopped = untilStopped({ failed: running.failed, stdin: flags["stop-with-stdin"] ? terminal.stdin : undefined })
  try {
    await terminal.print(flags.json ? bannerJson(running) : bannerOf(running, servesPage(flags)))
    if (terminal.columns === undefined) log.info("start", startFacts(running))
    const context = { uri: running.listening?.url ?? "", stakingAddress: "" }
    await withProcessContext(flags["process-context-file"], context, async () => log.info("stop", { reason: await stopped }))
  } finally {
    await stopWithin(flags["http-shutdown-timeout"], terminal, async () => {
      running.privateChain.interrupt()
      try {
        if (dumpTo !== undefined) writeNamedFile(dumpTo, await running.dumpState())
      } finally {
        await running.stop()
      }
    })
  }
}

/** Runs a node that joins a network until the process is stopped. */
/** Draws the progress of a node that catches up with its network, once the last block is known. */
function syncBar(terminal: Terminal): NonNullable<JoinOptions["onSync"]> {
  const draw = catchUpBar(terminal)
  return (progress) => {
    if (progress?.phase !== "fetching") return draw(undefined)
    const { lastAccepted: height, target, waiting } = progress
    draw({ height, target, note: `${waiting} fetched` })
  }
}

async function runJoined({ flags, ...given }: NodeInput, join: JoinOptions, log: Log, terminal: Terminal): Promise<void> {
  const node = await startJoinedNode({
    ...commonOptionsOf(flags, terminal, log),
    join: terminal.columns === undefined ? join : { ...join, onSync: syncBar(terminal) },
    dataDir: flags.ephemeral ? undefined : dataDirOf(flags, false),
    choice: chainChoiceOf({ flags, ...given }, wholeSeconds(terminal.now())),
  })
  const stopped = untilStopped({ failed: node.failed, stdin: flags["stop-with-stdin"] ? terminal.stdin : undefined })
  try {
    if (terminal.columns === undefined) log.info("start", startFacts(node))
    await terminal.print(flags.json ? joinedJson(node) : joinedBanner(node, servesPage(flags)))
    const context = { uri: node.listening?.url ?? "", stakingAddress: node.api.node.peerAddress() }
    await withProcessContext(flags["process-context-file"], context, async () => log.info("stop", { reason: await stopped }))
  } finally {
    await stopWithin(flags["http-shutdown-timeout"], terminal, () => node.stop())
  }
}
