import { availableParallelism } from "node:os"
import { startServing } from "../../node/serve.js"
import { servedBanner, servedJson, startFacts } from "../banner.js"
import { dataFlags, historyFlags, writeFlags } from "../chainFlags.js"
import { command } from "../command.js"
import { flagWithDefault } from "../flags.js"
import { onOff } from "../flagTypes.js"
import { identityFlags, identityOf } from "../identityFlags.js"
import { networkFlags } from "../networkFlags.js"
import {
  enabledServicesOf,
  httpOptionsOf,
  logOf,
  serverCircumstances,
  serverFlags,
  servesPage,
  warnIfExposed,
} from "../serverFlags.js"
import { stopWithin, untilStopped } from "../untilStopped.js"
import { warnOfFlagsWithoutEffect, warnOfUnknownNames } from "../withoutEffect.js"

/** `serac serve`: serves the API of a replayed chain, which gets no new blocks. */
export const serveCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Opens a replayed or copied chain and answers for it: reads only, the clock at its last block, no dev interface. A transaction
that is issued is refused. With --public it follows a node that extends the chain, and several may serve one directory.`,
  examples: [
    { call: "serac serve --data-dir chain", does: "on port 9650" },
    { call: "serac serve --data-dir chain --public --http-host 0.0.0.0", does: "for everybody, held to a rate" },
  ],
  flags: {
    ...dataFlags,
    ...writeFlags,
    ...historyFlags,
    "network-id": networkFlags["network-id"],
    ...serverFlags,
    json: flagWithDefault(onOff, "Prints one line of JSON for scripts instead of a banner", false),
    ...identityFlags,
  },
  async run({ flags, set, unknown = [] }, terminal) {
    const log = logOf(flags, terminal)
    warnOfUnknownNames(unknown, log)
    warnOfFlagsWithoutEffect(set, serverCircumstances(flags), log)
    warnIfExposed(flags, log)
    const node = await startServing({
      dataDir: flags["data-dir"],
      allowsSharedVolume: flags["shared-volume"],
      minFreeDisk: flags["min-free-disk"],
      history: flags.history,
      enabledServices: enabledServicesOf(flags),
      networkID: set.has("network-id") ? flags["network-id"] : undefined,
      dialect: flags["api-dialect"],
      isPublic: flags.public,
      cacheBytes: flags["answer-cache-size"] * 1024 * 1024,
      apiWorkers: flags["api-workers"] ?? availableParallelism(),
      http: httpOptionsOf(flags),
      identity: identityOf(flags),
      log,
      wall: () => terminal.now(),
    })
    const stopped = untilStopped({ failed: node.failed, stdin: flags["stop-with-stdin"] ? terminal.stdin : undefined })
    try {
      const options = { isPublic: flags.public, hasPage: servesPage(flags) }
      await terminal.print(flags.json ? servedJson(node) : servedBanner(node, options))
      if (terminal.columns === undefined) log.info("start", startFacts(node))
      log.info("stop", { reason: await stopped })
    } finally {
      await stopWithin(flags["http-shutdown-timeout"], terminal, () => node.stop())
    }
  },
})
