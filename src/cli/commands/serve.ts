import { availableParallelism } from "node:os"
import { startServing } from "../../node/serve.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { optionalFlag } from "../flags/flags.js"
import { text } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { logOf, serverCircumstances, warnIfExposed } from "../flags/serverFlags.js"
import { warnOfFlagsWithoutEffect, warnOfUnknownNames } from "../flags/withoutEffect.js"
import { servedChainFlags, servedChainGroups, servedChainOptionsOf, serveUntilStopped } from "../servedChain.js"

/** `serac serve`: serves the API of a replayed chain, which gets no new blocks. */
export const serveCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Opens a replayed or copied chain and serves it for reading only, with the clock at its last block and without /ext/dev. It refuses to
issue transactions. With --public it follows a node that extends the chain, and several processes may serve one directory.`,
  examples: [
    { call: "serac serve --data-dir chain", does: "on port 9650" },
    { call: "serac serve --postgres postgres://serac:secret@db/serac", does: "a published chain, without a disk" },
    { call: "serac serve --data-dir chain --public --http-host 0.0.0.0", does: "for the public, with a rate limit" },
  ],
  flags: {
    ...servedChainFlags,
    "network-id": networkFlags["network-id"],
    postgres: optionalFlag(
      { ...text, value: "URL", expects: "the URL of a PostgreSQL database" },
      "Reads a chain that --publish writes into this PostgreSQL database, and needs no data directory; see docs/scale.md",
    ),
  },
  groups: { Chain: ["network-id", "postgres"], ...servedChainGroups },
  async run({ flags, set, unknown = [] }, terminal) {
    const log = logOf(flags, terminal)
    warnOfUnknownNames(unknown, log)
    warnOfFlagsWithoutEffect(set, serverCircumstances(flags), log)
    warnIfExposed(flags, log)
    const options = servedChainOptionsOf(flags, terminal, log)
    if (flags.postgres !== undefined) {
      requireNoDirectory(set)
      const { startServingPostgres } = await import("../../node/servePostgres.js")
      const reader = await startServingPostgres({ ...options, url: flags.postgres })
      return serveUntilStopped(reader, flags, terminal, log)
    }
    const node = await startServing({
      ...options,
      networkID: set.has("network-id") ? flags["network-id"] : undefined,
      apiWorkers: flags["api-workers"] ?? availableParallelism(),
    })
    await serveUntilStopped(node, flags, terminal, log)
  },
})

/** Throws `cli.flags_conflict` for flags that select a chain in a data directory together with one in a database. */
function requireNoDirectory(set: ReadonlyMap<string, string>): void {
  const other = ["data-dir", "network-id"].find((name) => set.has(name))
  if (other !== undefined) throw cliError("cli.flags_conflict", { flags: `--postgres --${other}` })
}
