import { statSync } from "node:fs"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { Invalid } from "../../core/lib/invalid.js"
import { printJson } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { isProduction } from "../../core/networks/names.js"
import { flagsByRefusal } from "../../core/networks/otherRules.js"
import { parseUpgradeFile } from "../../core/networks/upgradeFile.js"
import { type ID, idText } from "../../core/types/id.js"
import { CopiedOverrides } from "../../datadir/copiedOverrides.js"
import { loadPublishedGenesis } from "../../datadir/genesis/publishedGenesis.js"
import { openStore } from "../../datadir/openStore.js"
import { chainDir, defaultDataDir, requireNoFork } from "../../datadir/places.js"
import { requireSameRules } from "../../datadir/storedChain.js"
import { isMadeByOneNode, newChainID } from "../../datadir/storedIdentity.js"
import { watchHistory } from "../../node/health.js"
import { loadSecp256k1 } from "../../platform/backends.js"
import { StoreFailures } from "../../sources/storeFailures.js"
import { readBlockFile } from "../../sync/blockFile.js"
import { type FileHead, readFileHead } from "../../sync/chainLines.js"
import { syncError } from "../../sync/errors.js"
import { type ReplayResult, replay as replayBlocks } from "../../sync/replay.js"
import { chainToReplay, type ReplayChoice } from "../../tools/chainToReplay.js"
import { publishReplay, publishRest } from "../../tools/publishReplay.js"
import { defaultSignatureThreads, SignaturePool } from "../../workers/signaturePool.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { reasonOf } from "../files.js"
import { chainChoiceOf, chainFlags, chainRules, dataFlags, historyFlags, writeFlags } from "../flags/chainFlags.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { heightFlag, integerFlag, oneOfWords, onOff, path } from "../flags/flagTypes.js"
import { contentOf } from "../flags/networkFlags.js"
import { publishFlags, publishOptionsOf, publishRules } from "../flags/publishFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { logOn, progressOn } from "../progress.js"
import type { Terminal } from "../terminal.js"
import { onSignal } from "../untilStopped.js"

const replayFlags = {
  blocks: optionalFlag(path("FILE"), "The blocks, in place of FILE"),
  ...dataFlags,
  ...writeFlags,
  ...historyFlags,
  ...publishFlags,
  until: optionalFlag(heightFlag, "The last height to execute"),
  kind: optionalFlag(
    oneOfWords("private", "followed"),
    "Kind of the chain in a file that does not name it, such as one of an older version (default: followed)",
  ),
  atomic: optionalFlag(path("FILE"), "UTXOs that wait to be imported, one a line; without it imports are not checked"),
  json: flagWithDefault(onOff, "Prints the result as one line of JSON", false),
  "trust-signatures": flagWithDefault(onOff, "Skips secp256k1, proof-of-possession and Warp signatures, nothing else", false),
  "replay-workers": optionalFlag(
    integerFlag(0, 64),
    "Threads that check signatures ahead; 0: none (default: one for each core but one, at most 4)",
  ),
  ...chainFlags,
}

type ReplayInput = CommandInput<typeof replayFlags>

/** `serac replay`: re-executes a chain from a file of blocks. */
export const replayCommand = command({
  takes: "[FILE]",
  count: [0, 1],
  about: `
Re-executes a chain from a file of blocks: hex with or without checksum, plain or ProposerVM-wrapped; one per line (a second
column may name the P-Chain height of its Warp messages), a JSON list, or a record with a list of blocks (up to 256 MiB of JSON); .gz is unpacked.
Heights that the data directory has are compared and skipped, so a replay continues where it stopped. The first bad block
ends it; the blocks before it are stored. The clock is this machine's, or the block's own time if that is later. A file of serac export blocks names the network, the
rules, the genesis and the kind of its chain, and has the overrides of a private chain; flags that name others are refused. For other files flags name them; with the built-in genesis
the start time is the one whose genesis block is the first block's parent.`,
  examples: [
    { call: "serac replay --blocks blocks.txt --data-dir chain", does: "executes a chain into a directory" },
    {
      call: "serac replay --blocks record.json --data-dir chain --config-file flags.json --until 100",
      does: "with the rules of a private network, up to height 100",
    },
    { call: "serac replay --blocks blocks.txt --data-dir chain --trust-signatures", does: "faster: without signatures" },
  ],
  flags: replayFlags,
  rules: [
    ...publishRules,
    ...chainRules,
    excludes("trust-signatures", ["replay-workers"], "--trust-signatures checks no signatures"),
    { flags: ["blocks"], applies: (_, args) => args.length > 0, reason: "FILE is given, too", refused: "always" },
  ],
  groups: {
    Blocks: ["blocks", "until", "kind", "atomic", "trust-signatures", "replay-workers", "json"],
    Data: [...Object.keys(dataFlags), ...Object.keys(writeFlags), ...Object.keys(historyFlags), ...Object.keys(publishFlags)],
    Rules: Object.keys(chainFlags),
  },
  async run(given, terminal) {
    const { flags, args } = given
    const file = flags.blocks ?? args[0]
    if (file === undefined) throw cliError("cli.missing_flag", { flag: "--blocks" })
    const bytes = sizeOf(file)
    if (flags["data-dir"] !== undefined) requireNoFork(flags["data-dir"])
    const choice = await choiceOf(given, await headOf(file), wholeSeconds(terminal.now()))
    const dataDir = flags["data-dir"] ?? defaultDataDir(choice.networkID ?? flags["network-id"])
    requireNoFork(dataDir)
    const options = { allowsSharedVolume: flags["shared-volume"], isLazy: true, log: logOn(terminal) }
    const store = openStore(chainDir(dataDir), options)
    const workers = flags["replay-workers"] ?? defaultSignatureThreads()
    await loadSecp256k1()
    let publisher: Awaited<ReturnType<typeof publishReplay>>
    let isStopped = false
    const retry = retryWith(terminal, () => isStopped)
    try {
      publisher = await publishReplay({ store, choice, ...publishOptionsOf(flags), note: (line) => terminal.note(line) })
      const overrides = new CopiedOverrides(store)
      const outer = await chainToReplay(store, { ...choice, overrides })
      const started = terminal.now()
      let read = 0
      const bar = progressOn(terminal, { unit: "bytes", total: bytes })
      const entries = readBlockFile(file, (size) => {
        read += size
      })
      onSignal(() => {
        isStopped = true
        void publisher?.stop()
      })
      const threads = new SignaturePool({
        count: flags["trust-signatures"] ? 0 : workers,
        onLost: (reason, left) => terminal.note(`a thread that checks signatures ended (${reason}); ${left} are left`),
      })
      const done = await replayBlocks(entries, outer, {
        applyOverride: (position, row) => overrides.apply(position, row),
        isPrivate: isMadeByOneNode(store),
        threads,
        until: flags.until,
        now: () => terminal.now(),
        isStopped: () => isStopped,
        retry,
        onFlush: () => publisher?.wake(),
        onBlock: (at) => bar.update(read, () => `height ${groupThousands(at)}`),
      })
        .catch((error) => {
          throw choice.header ? error : namingRules(error)
        })
        .finally(() => {
          bar.end()
          threads.stop()
        })
      const seconds = Math.max(terminal.now() - started, 1) / 1000
      await terminal.print(resultOf({ ...done, seconds }, outer.chain.lastAccepted, flags.json))
      watchHistory(store, { error: (event) => terminal.note(event) })
      if (publisher) await publishRest(publisher, store)
    } finally {
      await publisher?.stop()
      await store.close()
    }
  },
})

/** Adds to the refusal of a block that the file does not name the rules of its chain: other rules may accept it. */
function namingRules(error: unknown): unknown {
  if (!(error instanceof Invalid) || error.code !== "sync.refused") return error
  const flags = flagsByRefusal[String(error.data.rule)] ?? ["upgrade"]
  const note = `the file names no rules: flags such as ${flags.map((flag) => `--${flag}`).join(", ")} may be missing`
  return syncError("sync.refused", { ...error.data, note })
}

/** Returns a function that writes again every second while the disk fails, and notes that it does. */
function retryWith(terminal: Terminal, isStopped: () => boolean): (write: () => Promise<void>) => Promise<void> {
  const log: ConstructorParameters<typeof StoreFailures>[0] = {
    error: (event, data) => terminal.note(`serac: ${event} (${data?.code}): ${data?.reason}; it is tried again every second\n`),
    info: (event) => terminal.note(`serac: ${event}\n`),
  }
  const failures = new StoreFailures(log, () => performance.now())
  return (write) => failures.retry(write, isStopped)
}

/** Prints the result of a replay for people, or as one line of JSON. */
function resultOf(
  done: ReplayResult & { readonly seconds: number },
  last: { readonly id: ID; readonly height: bigint },
  isJson: boolean,
): string {
  const [height, blockID] = [last.height.toString(), idText(last.id)]
  if (isJson) return `${printJson({ ...done, height, blockID })}\n`
  const rate = groupThousands(Math.round(done.executed / done.seconds))
  const text = `${groupThousands(done.executed)} blocks executed, ${groupThousands(done.skipped)} passed over, ${rate} blocks/s\n`
  return `${text}height ${height}, ${blockID}\n`
}

/** Returns the identity of the chain in a file that does not name it; by default it is a copy of a network's. */
const identityOf = (kind: "private" | "followed" | undefined): ReplayChoice["identity"] =>
  kind === "private" ? { kind, id: newChainID() } : undefined

/** Bytes of a file of UTXOs: a line has some 300, so this is close to a million of them. */
const MAX_ATOMIC = 256 << 20

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch (error) {
    throw cliError("cli.unreadable_file", { file, reason: reasonOf(error) })
  }
}

/** Reads the lines of a file before its first block. Throws `cli.no_input` if there are none. */
async function headOf(file: string): Promise<FileHead> {
  const head = await readFileHead(readBlockFile(file))
  if (!head) throw cliError("cli.no_input", { file })
  return head
}

/**
 * Returns the chain that the flags and the file select. Throws `node.other_*` if a flag contradicts the header of an export: its blocks were
 * made by its rules.
 */
async function choiceOf(given: ReplayInput, { header, genesis, genesisBlockID }: FileHead, now: bigint): Promise<ReplayChoice> {
  const { flags } = given
  const choice = chainChoiceOf(given, now)
  const upgradeText = header && printJson(header.upgrades)
  if (header && upgradeText !== undefined) {
    requireSameRules({ networkID: header.networkID, ruleFlags: header.rules, upgrades: parseUpgradeFile(upgradeText) }, choice)
  }
  const networkID = choice.networkID ?? header?.networkID
  const published = await loadPublishedGenesis(networkID ?? flags["network-id"])
  return {
    ...choice,
    upgrades: header && !isProduction(header.networkID) ? upgradeText : choice.upgrades,
    networkID,
    ruleFlags: header?.rules ?? choice.ruleFlags ?? {},
    genesisBytes: published ?? (choice.genesisText === undefined ? genesis : undefined),
    genesisBlockID,
    header,
    identity: header ? { kind: header.kind, id: header.id } : identityOf(flags.kind),
    atomicText: contentOf(undefined, flags.atomic, MAX_ATOMIC),
    trustSignatures: flags["trust-signatures"],
    history: flags.history,
  }
}
