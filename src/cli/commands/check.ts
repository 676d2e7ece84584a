import { printJson } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { defaultDataDir } from "../../datadir/places.js"
import { openToRead } from "../../sources/fork/forkBase.js"
import { txChecker } from "../../tools/checkTx.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { dataFlags } from "../flags/chainFlags.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { heightFlag, onOff, path, timeFlag } from "../flags/flagTypes.js"
import { contentOf, networkFlags } from "../flags/networkFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { readLines } from "../input.js"
import { logOn, progressOn } from "../progress.js"
import { nodeUrl, remoteNode } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"

/** `serac check`: would a node take these transactions? */
export const checkCommand = command({
  takes: "[TX…]",
  count: [0, 1024],
  about: `
Checks whether platform.issueTx would accept a transaction, on the chain of a data directory, with an empty mempool and the clock at a
given time. TX is read as strictly as issueTx reads it: 0x, hex, checksum. A fault of the transaction is a result, not an error of the
command. Prints {"ok":true,"txID","fee","complexity"} or {"ok":false,"error":{"code","message","reference"}}, one line for
each; "reference" is the reason in AvalancheGo's own words. It writes nothing. With --url the node of a private chain checks it by
dev.simulateTx on its present state; it prints that method's answer, with the effects of the transaction.`,
  examples: [
    { call: "serac check --data-dir chain 0x00000000002200…", does: "judges one transaction now" },
    { call: "serac check --url 127.0.0.1:9650 0x00000000002200…", does: "asks a private chain" },
    { call: "serac check --data-dir chain --at 2026-11-15T02:35:40Z --lines < txs.txt", does: "judges a file, one a line" },
  ],
  flags: {
    url: optionalFlag(nodeUrl, "The node of a private chain that checks, in place of a data directory"),
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    at: optionalFlag(timeFlag, "The clock (default: now)"),
    "warp-height": optionalFlag(heightFlag, "The P-Chain height that Warp messages must hold at (default: the last accepted)"),
    atomic: optionalFlag(path("FILE"), "UTXOs that wait to be imported, one a line, besides those that the store has"),
    lines: flagWithDefault(onOff, "Reads one transaction a line from stdin", false),
  },
  rules: [
    excludes(
      "url",
      ["data-dir", "network-id", "at", "warp-height", "atomic"],
      "the node of --url checks on its own chain and clock",
    ),
    { flags: ["lines"], applies: (_, args) => args.length > 0, reason: "TX… is given, too", refused: "always" },
  ],
  async run({ flags, args }, terminal) {
    if (!flags.lines && args.length === 0) throw cliError("cli.missing_argument", { command: "check", takes: "TX… or --lines" })
    if (flags.url !== undefined) {
      const { json } = remoteNode(flags.url)
      return checkAll(async (tx) => `${printJson(await json("dev.simulateTx", { tx }))}\n`, flags.lines, args, terminal)
    }
    const store = await openToRead(flags["data-dir"] ?? defaultDataDir(flags["network-id"]), logOn(terminal))
    const snapshot = store.view()
    try {
      const verdict = txChecker(store, snapshot, {
        now: flags.at ?? wholeSeconds(terminal.now()),
        pChainHeight: flags["warp-height"],
        atomicText: contentOf(undefined, flags.atomic),
      })
      await checkAll(async (text) => `${printJson(verdict(text))}\n`, flags.lines, args, terminal)
    } finally {
      snapshot.release()
      await store.close()
    }
  },
})

type CheckOne = (text: string) => Promise<string>

/** Checks the arguments, or the lines of stdin. */
async function checkAll(checkOne: CheckOne, isLines: boolean, args: readonly string[], terminal: Terminal): Promise<void> {
  if (isLines) await checkLines(checkOne, terminal)
  else for (const text of args) await terminal.print(await checkOne(text))
}

async function checkLines(checkOne: CheckOne, terminal: Terminal): Promise<void> {
  const { batches } = readLines("-", terminal)
  const progress = progressOn(terminal, { unit: "transactions" })
  let count = 0
  for await (const { lines } of batches) {
    for (const line of lines) {
      await terminal.print(await checkOne(line.trim()))
      progress.update(++count)
    }
  }
  progress.end()
}
