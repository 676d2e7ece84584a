import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { toHexText } from "../../src/core/types/hexText.js"
import { chainToReplay } from "../../src/node/chainToReplay.js"
import { nodeTables } from "../../src/node/nodeTables.js"
import { openStore } from "../../src/node/openStore.js"
import { WorkerCommits } from "../../src/node/workerCommits.js"
import { faultsIn } from "../../src/store/check.js"
import { stateHash } from "../../src/store/stateHash.js"
import type { Store } from "../../src/store/store.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import { bundle } from "../child.js"
import { buildSerac } from "../cli/serac.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

const LENGTH = 120
const blocks = [...longChain(localNetwork(), LENGTH)]
const folder = mkdtempSync(join(tmpdir(), "serac-behind-"))
let serac: ReturnType<typeof buildSerac>
let program: string

beforeAll(() => {
  serac = buildSerac()
  program = join(serac.bin, "../../dist/commitWorker.js")
}, 300_000)
afterAll(() => {
  serac.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function* entries(until: number) {
  for (const [i, { bytes }] of blocks.slice(0, until).entries()) yield { text: toHexText(bytes), place: i + 1 }
}

/** Replays blocks into the store of a directory, with a thread that writes or without. */
async function replayInto(name: string, options: { upTo?: number; thread?: WorkerCommits } & ReplayOptions = {}) {
  const { thread: commits, upTo = LENGTH, ...rest } = options
  await commits?.started
  const store = openStore(join(folder, name), { isLazy: true })
  const flushed: bigint[] = []
  const onFlush = (height: bigint) => flushed.push(height)
  const chain = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true, commits })
  const error = await replay(entries(upTo), chain, { groupSize: 16, onFlush, ...rest }).then(
    () => undefined,
    (reason) => reason,
  )
  await commits?.end()
  return { store, error, flushed }
}

const contentOf = (store: Store) => ({
  hash: stateHash(store.latest, nodeTables),
  faults: [...faultsIn(store.latest, nodeTables)],
})

test("a thread that writes leads to the same rows and indexes, in the same groups, also when a replay continues", async () => {
  const plain = await replayInto("plain")
  const half = await replayInto("behind", { upTo: 50, thread: new WorkerCommits(program) })
  await half.store.close()
  const behind = await replayInto("behind", { thread: new WorkerCommits(program) })
  expect([half.error, behind.error]).toEqual([undefined, undefined])
  expect(contentOf(behind.store)).toEqual({ ...contentOf(plain.store), faults: [] })
  expect(half.flushed).toEqual([16n, 32n, 48n, 50n])
  expect(behind.flushed).toEqual([66n, 82n, 98n, 114n, 120n])
  await Promise.all([plain.store.close(), behind.store.close()])
})

test("a replay that is stopped waits until its blocks are written", async () => {
  let height = 0n
  const stopped = await replayInto("stopped", {
    thread: new WorkerCommits(program),
    onBlock: (at) => {
      height = at
    },
    isStopped: () => height >= 40n,
  })
  expect(stopped.error).toMatchObject({ code: "sync.stopped" })
  const plain = await replayInto("to40", { upTo: 40 })
  expect(contentOf(stopped.store)).toEqual(contentOf(plain.store))
  await Promise.all([plain.store.close(), stopped.store.close()])
})

test("a thread that dies before it writes a group ends the replay, and the next replay continues from the group before", async () => {
  const mortal = join(folder, "mortal.mjs")
  writeFileSync(
    mortal,
    `import { parentPort } from "node:worker_threads"
let commits = 0
parentPort.on("message", () => { if (++commits === 3) process.exit(7) })
await import(${JSON.stringify(pathToFileURL(program).href)})`,
  )
  const broken = await replayInto("mortal", { thread: new WorkerCommits(mortal) })
  expect(String(broken.error)).toBe("Error: the thread that writes has ended: exit code 7")
  expect(broken.flushed).toEqual([16n, 32n])
  await broken.store.close()
  const [plain, mended] = [await replayInto("whole"), await replayInto("mortal", { thread: new WorkerCommits(program) })]
  expect(mended.flushed[0]).toBe(48n)
  expect(contentOf(mended.store)).toEqual(contentOf(plain.store))
  await Promise.all([plain.store.close(), mended.store.close()])
})

test("a process that does nothing else waits for the start and the end of the thread", () => {
  const module = JSON.stringify(pathToFileURL(bundle("src/node/workerCommits.ts")))
  const script = join(folder, "waits.mjs")
  const lines = [
    `import { WorkerCommits } from ${module}`,
    `const thread = new WorkerCommits(${JSON.stringify(program)})`,
    "await thread.started",
    "const wasReady = thread.isReady",
    "await thread.end()",
    "console.log(wasReady, thread.isReady)",
  ]
  writeFileSync(script, lines.join("\n"))
  // Node ends with code 13 if nothing keeps the process while it awaits.
  expect(execFileSync(process.execPath, [script], { encoding: "utf8" })).toBe("true false\n")
})
