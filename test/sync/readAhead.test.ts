import { expect, test } from "vitest"
import type { Chain } from "../../src/core/chain/chain.js"
import { parseCertificate } from "../../src/core/crypto/certificate.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { chainToReplay } from "../../src/node/chainToReplay.js"
import { digestOf } from "../../src/node/digest.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import {
  type CheckedSignatures,
  checkSignatures,
  knownSigners,
  signedIn,
  uncheckedSignatures,
} from "../../src/sync/checkedSignatures.js"
import { syncError } from "../../src/sync/errors.js"
import { PART_BLOCKS, ReadAhead } from "../../src/sync/readAhead.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import type { SignatureJob, SignatureThreads } from "../../src/sync/signatureThreads.js"
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
async function replayed(lines: readonly string[], options: ReplayOptions = {}, onRead?: (place: number) => void) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const chain: Chain = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: false })
  const error = await replay(entries(lines, onRead), chain, options).then(
    () => undefined,
    (reason) => reason,
  )
  return { height: chain.lastAccepted.height, digest: digestOf(store.latest), error }
}

/** Makes a job that a thread has or has not begun, and a function that ends it. */
function openJob({ isBegun = true } = {}): { job: SignatureJob; end(checked?: CheckedSignatures): void } {
  let resolve = () => {}
  const state: { checked: CheckedSignatures | undefined; hasEnded: boolean } = { checked: undefined, hasEnded: false }
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const end = (checked?: CheckedSignatures) => {
    Object.assign(state, { checked, hasEnded: true })
    resolve()
  }
  return {
    job: {
      ended,
      get checked() {
        return state.checked
      },
      get hasEnded() {
        return state.hasEnded
      },
      takeBack() {
        if (isBegun || state.hasEnded) return false
        end()
        return true
      },
    },
    end,
  }
}

/** Threads that finish a job when it is started. */
const prompt: SignatureThreads = {
  depth: 4,
  begin(signatures) {
    const { job, end } = openJob()
    end(checkSignatures(signatures))
    return job
  },
}

/** Threads that answer in a later turn of the event loop, and take every second job only. */
function slow(): SignatureThreads {
  let begun = 0
  return {
    depth: 4,
    begin(signatures) {
      const isBegun = begun++ % 2 === 0
      const { job, end } = openJob({ isBegun })
      if (isBegun) setImmediate(() => setImmediate(() => end(checkSignatures(signatures))))
      return job
    },
  }
}

/** Threads that end with an error at every job. */
const dying: SignatureThreads = {
  depth: 4,
  begin() {
    const { job, end } = openJob()
    setImmediate(() => end())
    return job
  },
}

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

test("signers that were recovered from other signatures do not make a wrong signature valid", async () => {
  const changed = blocks[1]!.bytes.slice()
  changed[changed.length - 1]! ^= 1
  const bare = blocks.map((block) => ({ block, wrapper: undefined }))
  const known = checkSignatures(uncheckedSignatures(signedIn(bare, 0n), bare))
  const begin = () => {
    const { job, end } = openJob()
    end(known)
    return job
  }
  const { height, error } = await replayed(texts.with(1, toHexText(changed)), { threads: { depth: 1, begin } })
  expect([height, error.data.rule]).toEqual([1n, "rules.wrong_signature"])
})

test("an invalid signature has no known signer, even one of zeros, and the others keep theirs", () => {
  const [first, second] = signedIn(
    [
      { block: blocks[0]!, wrapper: undefined },
      { block: blocks[1]!, wrapper: undefined },
    ],
    0n,
  )
  const zeros = new Uint8Array(65)
  const [own] = first!.signatures
  const [other] = second!.signatures
  const txs = [{ unsigned: first!.unsigned, signatures: [own!, zeros, own!.slice()] }, second!]
  const known = knownSigners(txs, checkSignatures(uncheckedSignatures(txs, [])))
  const address = "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c"
  expect([...known]).toEqual([own, txs[0]!.signatures[2], other].map((signature) => [signature, address]))
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
async function partsOf(lines: readonly string[], threads: SignatureThreads) {
  let read = 0
  const onRead = (place: number) => {
    read = place
  }
  const options = { threads, lastHeight: () => 0n, parseCertificate }
  const parts: { blocks: number; read: number }[] = []
  for await (const part of new ReadAhead(entries(lines, onRead), options).parts()) {
    parts.push({ blocks: part.entries.length, read })
  }
  return parts
}

test("a part ends early where its blocks are large, and fewer of them are read ahead", async () => {
  const large = (size: number) => `0x${"00".repeat(size)}`
  expect(await partsOf([...Array(4).fill(large(100_000)), "0x00"], prompt)).toEqual([
    { blocks: 3, read: 5 },
    { blocks: 2, read: 5 },
  ])
  // A part with the largest block is full. Three of them are more than is read ahead.
  const huge = await partsOf(Array(5).fill(large(2 << 20)), prompt)
  expect(huge.map(({ blocks, read }) => [blocks, read])).toEqual([
    [1, 3],
    [1, 4],
    [1, 5],
    [1, 5],
    [1, 5],
    [0, 5],
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
