import type { Log } from "../../core/lib/log.js"
import type { JoinOptions } from "../../node/joinedChain.js"
import { startJoinedNode } from "../../node/joinedNode.js"
import { joinOptionsOf } from "../../node/joinSettings.js"
import { startPrivateChain } from "../../node/privateChain.js"
import { systemRandom } from "../../node/systemRandom.js"
import { bannerJson, bannerOf, joinedBanner, joinedJson, startFacts } from "../banner.js"
import { chainChoiceOf, chainFlags, dataFlags, writeFlags } from "../chainFlags.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { checkWritable, readNamedFile, writeNamedFile } from "../files.js"
import { type Flag, type Given, optional, withDefault } from "../flags.js"
import { amount, duration, gas, integer, oneWordOf, onOff, path, text, time } from "../flagTypes.js"
import { identityFlags, identityOf } from "../identityFlags.js"
import { joinFlags, joinSettingsOf } from "../joinFlags.js"
import { referenceSwitches, referenceValues } from "../referenceFlags.js"
import { httpOptionsOf, logOf, serverFlags, warnIfExposed } from "../serverFlags.js"
import type { Terminal } from "../terminal.js"
import { stopWithin, untilStopped } from "../untilStopped.js"

const ignored: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries([
  ...referenceSwitches.map((name) => [name, optional(onOff, "")]),
  ...referenceValues.map((name) => [name, optional({ ...text, read: (given: unknown) => String(given) }, "")]),
])

const nodeFlags = {
  ...dataFlags,
  ...writeFlags,
  ephemeral: withDefault(onOff, "Keeps nothing and needs no disk", false),
  ...serverFlags,
  json: withDefault(onOff, "Prints one line of JSON for scripts instead of a banner", false),
  accounts: withDefault(integer(0, 1000), "So many more funded accounts", 0),
  mnemonic: optional(text, "The phrase of their keys, 12 to 24 words of BIP-39 (default: test test … junk)"),
  balance: optional(amount, "nAVAX for each of them, 0 for none (default: 100,000 AVAX)"),
  "block-mode": withDefault(oneWordOf("auto", "interval", "manual"), "When transactions get their block", "auto"),
  "block-interval": withDefault(duration, "How often in block mode interval", 2000, "2s"),
  "warp-lag": withDefault(onOff, "Warp messages hold at AvalancheGo's delayed heights and epochs", false),
  "no-renew-validators": withDefault(onOff, "Lets the five validators leave for good after a year", false),
  "mempool-max-gas": optional(gas, "Gas that waiting transactions may take together (default: 10,000,000)"),
  "start-time": optional(time, "What the clock of a new chain shows first (default: now)"),
  "freeze-time": withDefault(onOff, "The clock stands still until it is told to move", false),
  "load-state": optional(path("FILE"), "Starts from a state that was dumped; a chain that is kept is replaced"),
  "dump-state": optional(path("FILE"), "Writes the state to a file when it stops"),
  ...identityFlags,
  ...joinFlags,
  ...chainFlags,
  ...ignored,
}

/** Bytes of a dumped state, packed; as many as `dev.loadState` takes. */
const MAX_DUMP = 1 << 30

/** `serac`, `serac node`: a private P-Chain. */
export const node = command({
  takes: "",
  count: [0, 0],
  about: `
Starts a private P-Chain: the local network with AvalancheGo's own genesis, funded keys, blocks at once, time travel and
snapshots under /ext/dev. Data lies in ~/.serac/<network> unless told otherwise; with --ephemeral nothing is kept. Flags carry
AvalancheGo's names where they mean the same; its other flags are taken with a warning. A new chain has the rules that Mainnet has today,
Helicon among them, from genesis on; --upgrade chooses others, and a chain that is kept goes on by its own. Stops cleanly on SIGINT, SIGTERM and
SIGHUP.`,
  examples: [
    { call: "serac", does: "a private chain on port 9650" },
    { call: "serac --ephemeral --http-port 0 --json", does: "for scripts: a free port, nothing kept" },
    { call: "serac --accounts 10 --helicon-min-stake-duration 5s", does: "ten more funded accounts, validators for seconds" },
    { call: "serac --upgrade granite", does: "the rules of AvalancheGo's own local network, without Helicon" },
    { call: "serac --api-dialect avalanchego", does: "for AvalancheGo's own Go clients" },
  ],
  flags: nodeFlags,
  async run(given, terminal): Promise<void> {
    const { flags: values, set } = given as unknown as Given<typeof nodeFlags>
    const log = logOf(values, terminal)
    for (const name of [...referenceSwitches, ...referenceValues]) {
      if (set.has(name)) log.warn("flag without meaning here", { flag: `--${name}` })
    }
    if (values.ephemeral && set.has("data-dir")) throw cliError("cli.flags_conflict", { flags: "--ephemeral --data-dir" })
    warnIfExposed(values, log)
    const join = joinOptionsOf(joinSettingsOf(values), values["network-id"], systemRandom)
    if (join) return runJoined(given as never, join, log, terminal)
    for (const name of Object.keys(joinFlags)) if (set.has(name)) log.warn("flag without meaning here", { flag: `--${name}` })
    const dumpTo = values["dump-state"]
    // At the end it would be too late: a chain in memory would be lost.
    if (dumpTo !== undefined) checkWritable(dumpTo)
    const seconds = values["block-interval"] / 1000
    const mode = values["block-mode"]
    const running = await startPrivateChain({
      dataDir: values["data-dir"],
      isEphemeral: values.ephemeral,
      allowsSharedVolume: values["shared-volume"],
      minFreeDisk: values["min-free-disk"],
      // A chain that starts at a given time has the genesis of that time: its IDs repeat on any day.
      choice: chainChoiceOf(given as never, values["start-time"] ?? BigInt(Math.floor(terminal.now() / 1000))),
      dialect: values["api-dialect"],
      isPublic: values.public,
      cacheBytes: values["answer-cache-size"] * 1024 * 1024,
      http: httpOptionsOf(values),
      identity: identityOf(values),
      producer: {
        blockMode: mode === "interval" ? { mode, seconds } : { mode },
        hasWarpLag: values["warp-lag"],
        renewsValidators: !values["no-renew-validators"],
        poolGas: values["mempool-max-gas"],
        startTime: values["start-time"],
        isFrozen: set.has("freeze-time") ? values["freeze-time"] : undefined,
        accounts: { count: values.accounts, mnemonic: values.mnemonic, balance: values.balance },
      },
      log,
      wall: () => terminal.now(),
      loadState: values["load-state"] === undefined ? undefined : readNamedFile(values["load-state"], MAX_DUMP),
    })
    // Before the banner: whoever reads it may stop the node at once.
    const stopped = untilStopped(running.failed)
    try {
      await terminal.print(values.json ? bannerJson(running) : bannerOf(running))
      if (terminal.columns === undefined) log.info("start", startFacts(running))
      log.info("stop", { reason: await stopped })
    } finally {
      await stopWithin(values["http-shutdown-timeout"], terminal, async () => {
        running.interrupt()
        try {
          if (dumpTo !== undefined) writeNamedFile(dumpTo, await running.dumpState())
        } finally {
          await running.stop()
        }
      })
    }
  },
})

/** A node among others, until it is told to stop. */
async function runJoined(
  { flags, ...given }: Given<typeof nodeFlags>,
  join: JoinOptions,
  log: Log,
  terminal: Terminal,
): Promise<void> {
  const node = await startJoinedNode({
    join,
    dataDir: flags["data-dir"],
    isEphemeral: flags.ephemeral,
    allowsSharedVolume: flags["shared-volume"],
    choice: chainChoiceOf({ flags, ...given } as never, BigInt(Math.floor(terminal.now() / 1000))),
    dialect: flags["api-dialect"],
    isPublic: flags.public,
    http: httpOptionsOf(flags),
    identity: identityOf(flags),
    log,
    wall: () => terminal.now(),
  })
  const stopped = untilStopped(node.failed)
  try {
    if (terminal.columns === undefined) log.info("start", startFacts(node))
    await terminal.print(flags.json ? joinedJson(node) : joinedBanner(node))
    log.info("stopping", { reason: await stopped })
  } finally {
    await stopWithin(flags["http-shutdown-timeout"], terminal, () => node.stop())
  }
}
