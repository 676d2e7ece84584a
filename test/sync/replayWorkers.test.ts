import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Block, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import type { SignedHash, SignerThreads } from "../../src/core/chain/signersAhead.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { printJson } from "../../src/core/lib/json.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { digestOf } from "../../src/tools/summary.js"
import { SignaturePool, type SignaturePoolOptions } from "../../src/workers/signaturePool.js"
import { buildSerac } from "../cli/serac.js"
import { goldenSource, openGolden } from "../fixtures/goldenChain.js"
import { changeOf, firstUnspent, localNetwork, payment } from "../fixtures/longChain.js"
import { Random, seed } from "../fuzz/random.js"
import { readRecording } from "../recordings/recordings.js"

const folder = mkdtempSync(join(tmpdir(), "serac-workers-"))
let serac: ReturnType<typeof buildSerac>
let program: string

beforeAll(() => {
  serac = buildSerac()
  program = join(serac.bin, "../../dist/signatureWorker.js")
}, 300_000)
afterAll(() => {
  serac.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function* entries(texts: readonly string[]) {
  for (const [i, text] of texts.entries()) yield { text, place: i + 1 }
}

/** Counts the calls that a pool answers with signers. */
function counted(pool: SignaturePool): SignerThreads & { answered: number } {
  const threads = {
    answered: 0,
    depth: pool.depth,
    async recover(signed: readonly SignedHash[]) {
      const addresses = await pool.recover(signed)
      if (addresses.length > 0) threads.answered++
      return addresses
    },
  }
  return threads
}

/** Replays blocks on a chain with this number of threads. */
async function replayWith(texts: readonly string[], outer: OuterChain, options: SignaturePoolOptions) {
  const pool = new SignaturePool({ program, ...options })
  const threads = counted(pool)
  const given = options.count > 0 ? { threads } : {}
  const error = await replay(entries(texts), outer, { now: () => 2 ** 41, ...given })
    .then(
      () => undefined,
      (reason) => reason,
    )
    .finally(() => pool.stop())
  return { error, checked: threads.answered, height: outer.chain.lastAccepted.height }
}

test("the recorded chains end in the same state with 0, 1 and 3 threads, wrapped or not", async () => {
  const name = "history-v1.14.2"
  const record = readRecording<{ blocks: string[]; containers: { bytes: string }[] }>(`golden/${name}/record.json`)
  const forms = { blocks: record.blocks.slice(1), containers: record.containers.map(({ bytes }) => bytes) }
  const digests = new Set<string>()
  for (const texts of Object.values(forms)) {
    for (const count of [0, 1, 3]) {
      const { store, rules } = openGolden(goldenSource(name))
      const { error, checked } = await replayWith(texts, new OuterChain(new Chain({ rules, state: store })), { count })
      expect(error).toBe(undefined)
      expect(checked > 0).toBe(count > 0)
      digests.add(printJson(digestOf(store.latest)))
    }
  }
  expect(digests.size).toBe(1)
})

/** A chain of blocks with one to four payments of random amounts. */
function randomChain(length: number): Block[] {
  const random = new Random(seed("a random chain"))
  const { genesis, rules } = localNetwork()
  const blocks: Block[] = []
  let [unspent, time, parentID] = [firstUnspent, genesis.timestamp, genesis.block.id]
  for (let height = 1n; height <= length; height++) {
    const txs = Array.from({ length: 1 + random.below(4) }, () => {
      const tx = payment(unspent, rules, BigInt(1 + random.below(1_000_000)))
      unspent = changeOf(tx)
      return tx
    })
    time += BigInt(1 + random.below(60))
    blocks.push(blockOf({ kind: "BanffStandardBlock", time, parentID, height, txs }))
    parentID = blocks.at(-1)!.id
  }
  return blocks
}

const LENGTH = 260
const random = randomChain(LENGTH)
const texts = random.map(({ bytes }) => toHexText(bytes))

async function newChain() {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const chain = await chainToReplay(store, { now: 0n, genesisBlockID: random[0]!.parentID, trustSignatures: false })
  return { chain, digest: () => printJson(digestOf(store.latest)) }
}

test("a random chain ends in the same state with 0, 1 and 3 threads", async () => {
  const digests = new Set<string>()
  for (const count of [0, 1, 3]) {
    const { chain, digest } = await newChain()
    // All parts but the first, which comes before the threads start.
    expect(await replayWith(texts, chain, { count })).toEqual({
      error: undefined,
      checked: count === 0 ? 0 : Math.ceil(LENGTH / 64) - 1,
      height: BigInt(LENGTH),
    })
    digests.add(digest())
  }
  expect(digests.size).toBe(1)
})

test("a bad signature in the middle is refused at the same place with 0, 1 and 3 threads", async () => {
  const changed = random[150]!.bytes.slice()
  changed[changed.length - 1]! ^= 1
  const refusals = new Set<string>()
  for (const count of [0, 1, 3]) {
    const { chain, digest } = await newChain()
    const { error, height } = await replayWith(texts.with(150, toHexText(changed)), chain, { count })
    expect([height, error.code, error.data.rule]).toEqual([150n, "sync.refused", "rules.wrong_signature"])
    refusals.add(`${error.message} ${digest()}`)
  }
  expect(refusals.size).toBe(1)
})

const deaths = { "ends itself": "process.exit(7)", throws: 'throw new Error("out of memory")' }

test.each(Object.entries(deaths))(
  "a thread that %s at its second job is reported, and the chain ends in the same state",
  async (_, how) => {
    const mortal = join(folder, "mortal.mjs")
    writeFileSync(
      mortal,
      `import { parentPort } from "node:worker_threads"
let jobs = 0
const answer = parentPort.postMessage.bind(parentPort)
parentPort.postMessage = (addresses) => {
  if (++jobs === 2) ${how}
  answer(addresses)
}
await import(${JSON.stringify(pathToFileURL(program).href)})`,
    )
    const [plain, other] = [await newChain(), await newChain()]
    await replayWith(texts, plain.chain, { count: 0 })
    const lost: string[] = []
    const { error, height } = await replayWith(texts, other.chain, {
      count: 2,
      program: mortal,
      onLost: (reason, left) => lost.push(`${reason}, ${left} left`),
    })
    expect([error, height, other.digest()]).toEqual([undefined, BigInt(LENGTH), plain.digest()])
    const reason = how.startsWith("throw") ? "out of memory" : "the thread ended with exit code 7"
    expect(lost).toEqual([`${reason}, 1 left`, `${reason}, 0 left`])
  },
)
