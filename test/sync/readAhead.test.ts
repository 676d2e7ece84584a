import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import type { SignedHash, SignerThreads } from "../../src/core/chain/signersAhead.js"
import { addressOf } from "../../src/core/crypto/secp256k1.js"
import { valueOrUndefined } from "../../src/core/lib/invalid.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { secp256k1 } from "../../src/platform/backends.js"
import { parseCertificate } from "../../src/platform/certificate.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { syncError } from "../../src/sync/errors.js"
import { PART_BLOCKS, readAhead } from "../../src/sync/readAhead.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { digestOf } from "../../src/tools/summary.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

/** Many parts, the last one not full. */
const blocks = [...longChain(localNetwork(), 6 * PART_BLOCKS + 7)]
const texts = blocks.map(({ bytes }) => toHexText(bytes))

async function* entries(lines: readonly string[], onRead: (place: number) => void = () => {}) {
  for (const [i, text] of lines.entries()) {
    onRead(i + 1)
    yield { text, place: i + 1 }
  }
}

/** Replays texts of blocks with signatures checked. */
async function replayed(lines: readonly string[], options: Partial<ReplayOptions> = {}, onRead?: (place: number) => void) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const outer = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: false })
  const error = await replay(entries(lines, onRead), outer, { now: () => 0, ...options }).then(
    () => undefined,
    (reason) => reason,
  )
  return { height: outer.chain.lastAccepted.height, digest: digestOf(store.latest), error }
}

/** Recovers signers as a thread does. */
const recovered = (signed: readonly SignedHash[]) =>
  signed.map(({ hash, signature }) => valueOrUndefined(() => addressOf(secp256k1().recover(hash, signature))))

/** Threads that answer at once. */
const prompt: SignerThreads = { depth: 4, recover: async (signed) => recovered(signed) }

/** Threads that answer in a later turn of the event loop, every second call before the one before it. */
function slow(): SignerThreads {
  let calls = 0
  return {
    depth: 4,
    async recover(signed) {
      if (calls++ % 2 === 0) await nextTurn()
      await nextTurn()
      return recovered(signed)
    },
  }
}

/** Threads that die at every call. */
const dying: SignerThreads = { depth: 4, recover: async () => [] }

const plain = replayed(texts)
const kinds = { prompt: () => prompt, slow, dying: () => dying }

test.each(Object.entries(kinds))("threads that are %s lead to the same state", async (_, threads) => {
  const executed: bigint[] = []
  const done = await replayed(texts, { threads: threads(), onBlock: (height) => executed.push(height) })
  expect(done).toEqual(await plain)
  expect(executed).toEqual(blocks.map(({ height }) => height))
})

test.each(Object.entries(kinds))("threads that are %s change no refusal of a bad signature", async (_, threads) => {
  const at = 3 * PART_BLOCKS + 9
  const changed = blocks[at]!.bytes.slice()
  // The last byte of the block is the recovery byte of its only signature.
  changed[changed.length - 1]! ^= 1
  const lines = texts.with(at, toHexText(changed))
  const refused = await replayed(lines)
  expect(await replayed(lines, { threads: threads() })).toEqual(refused)
  expect(refused).toMatchObject({ height: BigInt(at), error: { code: "sync.refused", data: { rule: "rules.wrong_signature" } } })
})

test("blocks are read before they are executed, and no more of them than keep the threads busy", async () => {
  let [read, executed, most] = [0, 0, 0]
  const onRead = (place: number) => {
    read = place
    most = Math.max(most, read - executed)
  }
  const onBlock = () => {
    executed++
  }
  await replayed(texts, { threads: prompt, onBlock }, onRead)
  expect([most, read, executed]).toEqual([(prompt.depth + 1) * PART_BLOCKS, blocks.length, blocks.length])
})

/** Reads lines ahead, and returns the sizes of the parts and the number of lines that had been read with each. */
async function partsOf(lines: readonly string[], threads: SignerThreads) {
  let read = 0
  const onRead = (place: number) => {
    read = place
  }
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const { chain } = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: false })
  const parts: { blocks: number; read: number }[] = []
  for await (const part of readAhead(entries(lines, onRead), { chain, threads, parseCertificate })) {
    parts.push({ blocks: part.length, read })
  }
  return parts
}

test("a part ends early where its blocks are large, and fewer of them are read ahead", async () => {
  const large = (size: number) => `0x${"00".repeat(size)}`
  expect(await partsOf([...Array(4).fill(large(100_000)), "0x00"], prompt)).toEqual([
    { blocks: 3, read: 5 },
    { blocks: 2, read: 5 },
  ])
  // A part with the largest block is full. Two of them are more than is read ahead.
  const huge = await partsOf(Array(5).fill(large(2 << 20)), prompt)
  expect(huge.map(({ blocks, read }) => [blocks, read])).toEqual([
    [1, 2],
    [1, 3],
    [1, 4],
    [1, 5],
    [1, 5],
  ])
})

test.each([undefined, prompt])("a line that cannot be read ends a replay after the blocks before it", async (threads) => {
  const { height, error } = await replayed(texts.toSpliced(300, 0, "0xzz"), { threads })
  expect([height, error]).toEqual([300n, expect.objectContaining({ code: "sync.bad_line" })])
})

test("a file that ends too early ends a replay after the blocks before it", async () => {
  const { height, error } = await replayed(texts, { threads: prompt }, (place) => {
    if (place === 301) throw syncError("sync.unreadable_file")
  })
  expect([height, error]).toEqual([300n, expect.objectContaining({ code: "sync.unreadable_file" })])
})
