import { expect, test } from "vitest"
import { signedHashesOf } from "../../src/core/chain/signedHashes.js"
import { secp256k1 } from "../../src/core/crypto/backends.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { chainToReplay } from "../../src/node/chainToReplay.js"
import { digestOf } from "../../src/node/digest.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { MemoryStore } from "../../src/store/memoryStore.js"
import { type ReplayOptions, replay } from "../../src/sync/replay.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"

/** More than two parts that are read ahead. */
const blocks = [...longChain(localNetwork(), 600)]

async function* entries(texts: readonly string[]) {
  let place = 0
  for (const text of texts) yield { text, place: ++place }
}

/** Replays texts of blocks with signatures checked; `optionsFor` is given the chain. */
async function replayed(
  texts: readonly string[],
  optionsFor: (chain: Awaited<ReturnType<typeof chainToReplay>>) => ReplayOptions,
) {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const chain = await chainToReplay(store, { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: false })
  const done = replay(entries(texts), chain, optionsFor(chain))
  const error = await done.then(
    () => undefined,
    (reason) => reason,
  )
  return { height: chain.lastAccepted.height, digest: digestOf(store.latest), error }
}

const texts = blocks.map(({ bytes }) => toHexText(bytes))

test("blocks are passed on before they are executed, and signers that were recovered ahead change no result", async () => {
  const plain = await replayed(texts, () => ({}))
  const read: bigint[] = []
  const executed: bigint[] = []
  const ahead = await replayed(texts, (chain) => ({
    onRead(some) {
      for (const block of some) {
        read.push(block.height)
        for (const signed of signedHashesOf(block)) {
          chain.rememberSigner(signed, secp256k1().recover(signed.hash, signed.signature))
        }
      }
    },
    onBlock(height) {
      expect(read.includes(height)).toBe(true)
      executed.push(height)
    },
  }))
  expect(ahead).toEqual(plain)
  expect(ahead.height).toBe(600n)
  expect([read, executed]).toEqual([blocks.map(({ height }) => height), blocks.map(({ height }) => height)])
})

test("a line that cannot be read ends a replay after the blocks before it", async () => {
  const { height, error } = await replayed([...texts.slice(0, 300), "0xzz", ...texts.slice(300)], () => ({}))
  expect([height, error]).toEqual([300n, expect.objectContaining({ code: "sync.bad_line" })])
})
