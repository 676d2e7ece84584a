import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { defaultDataDir } from "../../datadir/places.js"
import { hasKeys, type IdentityFlags, isChosen, newIdentityFlags } from "../../node/identity/identity.js"
import { servingProcess } from "../../node/processes/servingProcess.js"
import { startServing } from "../../sources/served/serve.js"
import { command } from "../command.js"
import { flagWithDefault, optionalFlag, variableOf } from "../flags/flags.js"
import { integerFlag, text } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { logOf, warnIfExposed } from "../flags/serverFlags.js"
import { excludes, logWarnings } from "../flags/withoutEffect.js"
import { runProcesses } from "../runProcesses.js"
import { servedChainFlags, servedChainGroups, servedChainOptionsOf, servedChainRules, serveUntilStopped } from "../servedChain.js"
import type { Terminal } from "../terminal.js"
import { SIGNALS } from "../untilStopped.js"

/** `serac serve`: serves the API of a replayed chain, which gets no new blocks. */
export const serveCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Opens a replayed or copied chain and serves it for reading only, with the clock at its last block and without /ext/dev. It refuses to
issue transactions. With --public it follows a node that extends the chain, and several processes may serve one directory. --processes N
serves it with N processes at one port, each with its own limits for clients and without a keystore.`,
  examples: [
    { call: "serac serve --data-dir chain", does: "on port 9650" },
    { call: "serac serve --postgres postgres://serac:secret@db/serac", does: "a published chain, without a disk" },
    { call: "serac serve --data-dir chain --public --http-host 0.0.0.0", does: "for the public, with a rate limit" },
    { call: "serac serve --data-dir chain --processes 4", does: "with four processes at one port" },
  ],
  flags: {
    ...servedChainFlags,
    "network-id": networkFlags["network-id"],
    postgres: optionalFlag(
      { ...text, value: "URL", expects: "the URL of a PostgreSQL database" },
      "Reads a chain that --publish writes into this PostgreSQL database, and needs no data directory; see docs/serving.md",
    ),
    processes: flagWithDefault(integerFlag(1, 64), "Number of processes that serve the chain at one port", 1),
  },
  rules: [
    ...servedChainRules,
    excludes(
      "postgres",
      ["data-dir", "network-id", "history", "shared-volume", "min-free-disk"],
      "the chain is read from the database that --postgres names",
    ),
  ],
  groups: { Chain: ["network-id", "postgres"], ...servedChainGroups, Server: ["processes", ...servedChainGroups.Server] },
  async run({ flags, set, warnings = [] }, terminal) {
    const log = logOf(flags, terminal)
    logWarnings(warnings, log)
    warnIfExposed(flags, log)
    const options = { ...servedChainOptionsOf(flags, terminal, log), servingProcess: servingProcess(SIGNALS) }
    if (flags.processes > 1 && !options.servingProcess)
      return runProcesses(flags, keysFor(flags, options.identity, terminal), terminal, log)
    if (flags.postgres !== undefined) {
      const { startServingPostgres } = await import("../../sources/postgres/servePostgres.js")
      const reader = await startServingPostgres({ ...options, url: flags.postgres })
      return serveUntilStopped(reader, flags, terminal, log, options.servingProcess)
    }
    const dataDir = flags["data-dir"] ?? defaultDataDir(flags["network-id"])
    const networkID = set.has("network-id") ? flags["network-id"] : undefined
    const node = await startServing({ ...options, dataDir, networkID })
    await serveUntilStopped(node, flags, terminal, log, options.servingProcess)
  },
})

interface ServedPlace {
  readonly postgres?: string | undefined
  readonly "data-dir"?: string | undefined
  readonly "network-id": number
}

/** Returns the environment that gives all processes the same node ID, unless flags or the directory name the keys. */
function keysFor(flags: ServedPlace, chosen: IdentityFlags, terminal: Terminal): Record<string, string> {
  const { postgres, "data-dir": dataDir = defaultDataDir(flags["network-id"]) } = flags
  if (isChosen(chosen) || (postgres === undefined && hasKeys(dataDir))) return {}
  const keys = Object.entries(newIdentityFlags(wholeSeconds(terminal.now())))
  return Object.fromEntries(keys.map(([name, content]) => [variableOf(name), content]))
}
