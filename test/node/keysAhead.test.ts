import { once } from "node:events"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bls } from "../../src/core/crypto/backends.js"
import { loadBlsNoble } from "../../src/core/crypto/blsNoble.js"
import { toHex } from "../../src/core/lib/bytes.js"
import { COMPRESSED, decompressKeysAhead, KeyState, type SharedKeys, UNCOMPRESSED } from "../../src/node/keysAhead.js"
import { buildSerac } from "../cli/serac.js"

let serac: ReturnType<typeof buildSerac>
let program: string

beforeAll(() => {
  serac = buildSerac()
  program = join(serac.bin, "../../dist/keyWorker.js")
}, 300_000)
afterAll(() => serac.remove())

const keyOf = (i: number) =>
  bls().publicKey(Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? i & 0xff : at === 30 ? i >> 8 : 0)))

test("a thread decompresses the keys that are not begun, and skips a bad one", async () => {
  const good = [1, 2, 3, 4].map(keyOf)
  const keys: SharedKeys = {
    states: new Int32Array(new SharedArrayBuffer(4 * 5)),
    compressed: new Uint8Array(new SharedArrayBuffer(COMPRESSED * 5)),
    uncompressed: new Uint8Array(new SharedArrayBuffer(UNCOMPRESSED * 5)),
  }
  for (const [i, key] of good.entries()) keys.compressed.set(key, i * COMPRESSED)
  keys.states[0] = KeyState.begun
  await once(new Worker(program, { workerData: keys }), "exit")
  expect([...keys.states]).toEqual([KeyState.begun, KeyState.done, KeyState.done, KeyState.done, KeyState.begun])
  const judge = loadBlsNoble()
  const expected = good.map((key, i) => (i === 0 ? new Uint8Array(UNCOMPRESSED) : judge.decompressKey(key)))
  expect(toHex(keys.uncompressed.subarray(0, 4 * UNCOMPRESSED))).toBe(expected.map(toHex).join(""))
})

test("keys of a large genesis file are the same with a thread and without, and a small file starts no thread", () => {
  const keys = Array.from({ length: 600 }, (_, i) => keyOf(i + 1))
  const textOf = (some: readonly Uint8Array[]) => JSON.stringify(some.map((key) => ({ publicKey: `0x${toHex(key)}` })))
  expect(decompressKeysAhead(textOf(keys.slice(1)), program)).toBe(false)
  expect(decompressKeysAhead(textOf(keys), program)).toBe(true)
  const judge = loadBlsNoble()
  for (const key of keys.filter((_, i) => i % 60 === 0))
    expect(toHex(bls().decompressKey(key))).toBe(toHex(judge.decompressKey(key)))
})
