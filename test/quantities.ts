import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defaultBenchSettings } from "../src/core/consensus/engine/benchList.js"
import { defaultChainSettings } from "../src/core/consensus/engine/chainSettings.js"
import { SLOT_SECONDS } from "../src/core/consensus/proposer/windower.js"
import { defaultSnowParameters } from "../src/core/consensus/snowman/parameters.js"
import { local } from "../src/core/networks/local.js"
import { defaultBandwidth } from "../src/core/p2p/bandwidth.js"
import { defaultPeerSettings } from "../src/core/p2p/peerSettings.js"
import { MAX_HEIGHT_WAIT } from "../src/jsonrpc/http/minHeight.js"
import { defaultClientLimits, defaultHttpOptions } from "../src/jsonrpc/http/options.js"
import { defaultHealthLimits } from "../src/node/joined/networkSettings.js"
import { MIN_FREE_DISK } from "../src/node/storeChecks.js"
import { DEFAULT_CACHE_BYTES } from "../src/services/cache/answerCache.js"
import { root } from "./sources.js"

const [KiB, MiB] = [1 << 10, 1 << 20]

/** The value of a constant that a source file declares as a product of numbers or as a number shifted to the left. Throws if there is no such constant. */
function constantIn(path: string, name: string): number {
  const text = readFileSync(join(root, "src", path), "utf8")
  const expression = new RegExp(`^(?:export )?const ${name} = ([\\d_n.*< ]+)$`, "m").exec(text)?.[1]
  if (expression === undefined) throw new Error(`${path} has no constant ${name}`)
  const [base = "", shift = "0"] = expression.replace(/[_n]/g, "").split("<<")
  return base.split("*").reduce((product, factor) => product * Number(factor), 1) * 2 ** Number(shift)
}

const WORDS: ReadonlyMap<number, string> = new Map([
  [500, "half a second"],
  [1000, "a second"],
  [1500, "1.5 seconds"],
  [2000, "two seconds"],
  [5000, "five seconds"],
  [10_000, "ten seconds"],
  [30_000, "half a minute"],
  [60_000, "a minute"],
  [300_000, "five minutes"],
  [3_600_000, "an hour"],
])

/** A time in words, as the pages write it; one that has no words here is written in milliseconds. */
const inWords = (milliseconds: number): string => WORDS.get(milliseconds) ?? `${milliseconds} ms`
const grouped = (count: number): string => count.toLocaleString("en-US")
const mebibytes = (bytes: number): string => `${bytes / MiB} MiB`
const kibibytes = (bytes: number): string => `${bytes / KiB} KiB`

const [all, one] = [defaultHttpOptions, defaultClientLimits]
const turn = constantIn("jsonrpc/limits/loopScheduler.ts", "TURN_MILLISECONDS")
const batchAnswer = constantIn("jsonrpc/call/dispatch.ts", "MAX_BATCH_ANSWER")
const future = inWords(constantIn("core/consensus/proposer/wrapperRules.ts", "MAX_FUTURE_SECONDS") * 1000)
const clock = inWords(defaultPeerSettings.maxClockDifferenceMs)
const heliconMinimum = inWords(Number(local.params.staking.heliconMinStakeNanoseconds / 1_000_000n))
const quorum = defaultSnowParameters.alphaConfidence / defaultSnowParameters.k
const connected =
  quorum * (1 - constantIn("node/joined/joinedChecks.ts", "STAKE_BUFFER")) +
  constantIn("node/joined/joinedChecks.ts", "STAKE_BUFFER")
const { maxAncestorsSent, ancestorsMs, frontierPollMs } = defaultChainSettings

/** Parts of sentences with numbers, page by page, with the numbers that the program uses. */
export const computed: Readonly<Record<string, readonly string[]>> = {
  "docs/avalanche-tools.md": [
    `answers to ${mebibytes(constantIn("node/chainProxy.ts", "MAX_ANSWER"))} and ${constantIn("node/chainProxy.ts", "TIMEOUT") / 1000} seconds`,
  ],
  "docs/deployment.md": [
    `\`--http-shutdown-timeout\`, ${all.stopTimeout / 1000} s`,
    `let it be silent for ${all.heartbeat / 1000} s`,
    `the compose file gives it ${/stop_grace_period: (\d+)s/.exec(readFileSync(join(root, "deploy/compose.yaml"), "utf8"))?.[1]} s`,
  ],
  "docs/operating.md": [
    `\`--helicon-min-stake-duration\` (${heliconMinimum})`,
    `in MiB (default ${DEFAULT_CACHE_BYTES / MiB})`,
    `counts for all within ${constantIn("node/apiWorkers/workerServer.ts", "REPORT_EVERY")} ms`,
    `after ${inWords(constantIn("node/apiWorkers/workerPool.ts", "SOON"))} if it died soon after its start`,
    `in its slots of ${inWords(Number(SLOT_SECONDS) * 1000)}`,
    `on Mainnet and Fuji ${inWords(constantIn("node/joined/ownValidator.ts", "PRODUCTION_BLOCK_DELAY_MS"))} after the last block`,
    `for more every ${inWords(constantIn("core/consensus/app/txPull.ts", "PULL_INTERVAL_MS"))}`,
    `whose clock is off by ${clock}, and blocks that are more than ${future} ahead of it wait`,
    `the log has a line every ${inWords(constantIn("node/joined/syncReport.ts", "INTERVAL_MS"))}`,
    `need a clock that is right within ${clock}`,
    `at most ${future} ahead, and warns every ${inWords(constantIn("node/joined/joinedChain.ts", "WARNING_INTERVAL_MS"))}`,
    `first after ${inWords(defaultPeerSettings.firstRedialMs)}, later up to once ${inWords(defaultPeerSettings.maxRedialMs)}`,
    `benched for up to ${inWords(defaultBenchSettings.durationMs)}`,
    `${grouped(maxAncestorsSent)} blocks and ${ancestorsMs} ms for an answer with ancestors`,
    `${kibibytes(defaultBandwidth.bytesPerSecond)} a second and ${mebibytes(defaultBandwidth.burst)} at once from one peer`,
    `a question for new blocks every ${frontierPollMs} ms`,
    `which need ${quorum * 100} % of the stake connected`,
    `succeeds when ${connected * 100} % of the stake is connected`,
    `less than ${connected * 100} % of the stake is connected`,
    `heard or sent nothing for ${inWords(defaultHealthLimits.maxReceiveSilenceMs)}, or cannot send ${defaultHealthLimits.maxSendFailRate * 100} % of its messages`,
    `more than ${defaultHealthLimits.maxProcessing} blocks are undecided or one for ${inWords(defaultHealthLimits.maxProcessingMs)}`,
    `more than ${grouped(defaultHealthLimits.maxOpenRequests)} requests to peers are not answered, or one for ${inWords(defaultHealthLimits.maxOpenRequestMs)}`,
    `bytes left (${mebibytes(MIN_FREE_DISK)})`,
    `of a file larger than ${mebibytes(constantIn("store/cleanClose.ts", "SMALL"))}`,
    `tries again every ${inWords(constantIn("node/storeFailures.ts", "RETRY_MS")).replace("a ", "")}`,
    `${one.burst === 4 * one.unitsPerSecond ? "four" : one.burst / one.unitsPerSecond} seconds' worth at once`,
    `takes ${one.unitsPerMillisecond} units, wherever it is spent`,
    `are at most some ${turn} ms`,
    `is ${one.connections} connections, ${one.streams} streams, ${one.pending} calls that wait, ${mebibytes(one.maxBody)} for a body, ${mebibytes(one.maxBuffered)} for all of them beyond the first ${kibibytes(constantIn("jsonrpc/http/body.ts", "ALWAYS"))} of each, ${mebibytes(batchAnswer)} for the answers to a batch, ${mebibytes(one.maxUnread)} for answers it has not read`,
    `have ${grouped(all.maxConnections)} connections, ${grouped(all.maxStreams)} streams, ${grouped(all.maxPending)} calls that wait, ${mebibytes(all.maxBuffered)} of bodies, ${mebibytes(all.maxUnread)} of unread answers`,
    `| a body | ${mebibytes(all.maxBody)}, with \`--public\` ${mebibytes(one.maxBody)}, in which the largest transaction fits as hex; \`/ext/dev\` ${all.maxDevBody / 2 ** 30} GiB |`,
    `| one answer | ${mebibytes(one.maxUnread)} with \`--public\`, ${mebibytes(all.maxUnread)} without`,
    `| a batch | ${constantIn("jsonrpc/call/dispatch.ts", "MAX_BATCH")} calls, and ${mebibytes(batchAnswer)} of answers`,
    `| one stretch of work | some ${turn} ms`,
    `parsed in slices of ${kibibytes(constantIn("jsonrpc/http/requestParsing.ts", "SLICE"))}`,
    `from the ${constantIn("jsonrpc/http/clients.ts", "MAX_AT_ONCE") + 1}th on`,
    `| such answers above ${mebibytes(constantIn("jsonrpc/answerRoom.ts", "LARGE"))} | ${constantIn("jsonrpc/answerRoom.ts", "LARGE_AT_ONCE")} are made at once in each process, and ${constantIn("jsonrpc/answerRoom.ts", "MAX_WAITING")} wait |`,
    `| headers | 16 KiB, in ${all.headersTimeout / 1000} s, with \`--public\` in ${one.headersTimeout / 1000} s |`,
    `| a whole request | ${all.readTimeout / 1000} s to come, ${all.writeTimeout / 1000} s for its answer to be taken |`,
    `a client that owes ${(constantIn("jsonrpc/http/clients.ts", "MAX_DEBT_BURSTS") * one.burst) / one.unitsPerSecond} s is not let in`,
    `| requests that wait for a \`Serac-Min-Height\` | ${grouped(all.maxPending)} for ${MAX_HEIGHT_WAIT / 1000} s, with \`--public\` ${one.pending} of one client |`,
    `frames of up to ${kibibytes(constantIn("jsonrpc/http/webSockets.ts", "MAX_MESSAGE"))}, each of which is charged`,
    `| a configuration, a genesis file, an upgrade file | ${mebibytes(constantIn("cli/files.ts", "MAX_INPUT"))} and 512 levels deep; a state (\`--load-state\`) ${constantIn("cli/flags/privateChainFlags.ts", "MAX_DUMP") / 2 ** 30} GiB; a gzip file unpacks to ${mebibytes(constantIn("files/readBoundedFile.ts", "ALWAYS_UNPACKED"))}, or to ${constantIn("files/readBoundedFile.ts", "MAX_RATIO")} times its size`,
    `| one line or text of a block file | ${mebibytes(constantIn("sync/blockFile.ts", "MAX_TEXT"))} |`,
    `below that height waits up to ${MAX_HEIGHT_WAIT / 1000} s`,
  ],
  "docs/scale.md": [
    `comes every ${inWords(constantIn("node/follow/followReport.ts", "INTERVAL_MS"))}`,
    `waited for by at most ${inWords(constantIn("sync/follow/blockFollower.ts", "OTHERS_MS"))}`,
    `after a pause of up to ${inWords(constantIn("sync/follow/blockFollower.ts", "LONGEST_PAUSE_MS"))}`,
    `through a cache of ${mebibytes(constantIn("node/servePostgres.ts", "PAST_BYTES"))}`,
    `waits up to ${inWords(MAX_HEIGHT_WAIT)} for that`,
  ],
  "docs/security.md": [`interrupted after some ${turn} ms`],
}

/** Parts of sentences whose numbers a test checks, with the file of the test and a text that it must contain. */
export const tested: Readonly<Record<string, readonly (readonly [part: string, path: string, words: string])[]>> = {
  "docs/operating.md": [
    [
      "a client's share in one worker is at least 8 connections, 4 streams, 16 pending calls and 16 MiB of unread answers",
      "src/node/apiWorkers/shareOf.test.ts",
      "on a machine with many cores a client may still have several connections in each process",
    ],
    ["at most 50 bytes of disk for a byte of transaction", "test/node/diskUse.test.ts", "50"],
    ["bytes that `platform.decode` shows | 64 KiB |", "src/services/platform/wire/hexBytes.ts", "(1 << 16) + 4"],
    ["with 256 MiB left for everything else", "src/store/addressSpace.ts", "LEAST = 2 ** 28"],
    ["it is at most three days away", "src/node/joined/joinedChecks.test.ts", "three days before"],
    ["one turn of the event loop takes 50 ms at most", "test/rpc/limits/invariants.test.ts", "50, and the period of the timer"],
    ["The 50 ms are those of one client", "test/rpc/limits/invariants.test.ts", "50, and the period of the timer"],
    ["| the keystore | 1,000 users and 64 MiB;", "src/keystore/keystore.ts", "{ users: 1000, bytes: 64 << 20 }"],
  ],
  "docs/page.md": [
    ["less than 40 kB for all of them", "test/page/serve.test.ts", "toBeLessThan(40_000)"],
    ["*Move 14 days ahead*", "test/page/lab.test.ts", "Move 14 days ahead"],
  ],
  "docs/scale.md": [
    ["there the tip is looked at every 50 ms", "src/node/servePostgres.ts", "[LOOK_EVERY, POLL_EVERY] = [1000, 50]"],
  ],
  "docs/security.md": [
    ["one turn of the event loop takes 50 ms at most", "test/rpc/limits/invariants.test.ts", "50, and the period of the timer"],
    ["at most 50 bytes on the disk for each of its bytes", "test/node/diskUse.test.ts", "50"],
    ["The keystore holds 1,000 users and 64 MiB", "src/keystore/keystore.ts", "{ users: 1000, bytes: 64 << 20 }"],
  ],
}

/** Parts of sentences that name no quantity of Serac: an ordinal, a rate, a time of another program, or an estimate in a table that says so. */
export const others: Readonly<Record<string, readonly string[]>> = {
  "docs/operating.md": ["blocks a second, share, time left", "the blocks a second and the time left"],
  "docs/quick-start.md": ["without a second process"],
  "docs/scale.md": ["It looks again every few seconds"],
}
