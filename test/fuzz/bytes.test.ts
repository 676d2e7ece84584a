import { getHeapStatistics } from "node:v8"
import { expect, test } from "vitest"
import { concatBytes, equalBytes, toHex } from "../../src/core/lib/bytes.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { mutate } from "./mutate.js"
import { attempts, isSoak, Random, seed } from "./random.js"
import { type Sample, samples } from "./samples.js"

const all = samples()

/** The long run takes minutes on a busy machine. */
const timeout = isSoak ? 1_800_000 : 120_000

/** Returns the code of the refusal, or `undefined` if the bytes are decoded. Any other error is a fault in Serac. */
function refusalOf(sample: Sample, bytes: Uint8Array): string | undefined {
  try {
    checkSame(sample, bytes, sample.read(bytes)())
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.code
    throw new Error(`${sample.name}: ${toHex(bytes)} broke the reader`, { cause: error })
  }
}

function checkSame({ name }: Sample, bytes: Uint8Array, again: Uint8Array): void {
  if (!equalBytes(again, bytes)) throw new Error(`${name}: ${toHex(bytes)} is written as ${toHex(again)}`)
}

test("all vectors are read, and written as they were", () => {
  expect(all.length).toBeGreaterThan(50)
  for (const sample of all) expect([sample.name, refusalOf(sample, sample.bytes)]).toEqual([sample.name, undefined])
})

test("prefixes of every vector are refused, as too short", { timeout }, () => {
  const codes = new Set<string | undefined>()
  // The long run tries every prefix; else those that end in the first fields of a vector, and some of the others.
  const step = isSoak ? 1 : 41
  for (const sample of all) {
    for (let size = 0; size < sample.bytes.length; size += size < 64 ? 1 : step)
      codes.add(refusalOf(sample, sample.bytes.subarray(0, size)))
  }
  expect([...codes].sort()).toEqual(["codec.bytes_too_long", "codec.list_too_long", "codec.no_version", "codec.truncated"])
})

test("a byte behind any vector is refused", () => {
  for (const sample of all) {
    for (const byte of [0, 1, 0xff]) {
      expect([sample.name, refusalOf(sample, concatBytes(sample.bytes, Uint8Array.of(byte)))]).toEqual([
        sample.name,
        "codec.trailing",
      ])
    }
  }
})

/** The memory that a read may use, by the size of its input: values are larger than bytes, and a refusal has its text and place. */
const roomFor = (bytes: Uint8Array) => 40 * bytes.length + 128 * 1024

/** The engine sometimes allocates memory itself, in large pieces on Node 24. Memory that decoding takes is seen in every attempt. */
const ATTEMPTS = 8

function allocated(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Bytes of memory that decoding takes, also if it is refused. */
function memoryOfDecoding({ read }: Sample, bytes: Uint8Array): number {
  const before = allocated()
  try {
    read(bytes)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
  }
  return allocated() - before
}

/** Decodes untrusted bytes and compares the memory and time with their size. Returns whether they were decoded. */
function decodeWithinBounds(sample: Sample, bytes: Uint8Array): boolean {
  const start = performance.now()
  const takesTooMuch = Array.from({ length: ATTEMPTS }).every(() => memoryOfDecoding(sample, bytes) > roomFor(bytes))
  if (takesTooMuch) throw new Error(`${sample.name}: ${toHex(bytes)} takes more memory than ${roomFor(bytes)} bytes`)
  const code = refusalOf(sample, bytes)
  const millis = performance.now() - start
  if (millis > 10_000) throw new Error(`${sample.name}: ${toHex(bytes)} takes ${millis} ms`)
  return code === undefined
}

test("a huge number at any place of any vector is read or refused without allocating memory for it", { timeout }, () => {
  const step = isSoak ? 1 : 67
  for (const sample of all) {
    for (let at = 0; at + 4 <= sample.bytes.length; at += step) {
      const bytes = sample.bytes.slice()
      new DataView(bytes.buffer).setUint32(at, at % 2 === 0 ? 0xffff_ffff : 0x7fff_ffff)
      decodeWithinBounds(sample, bytes)
    }
  }
})

test("random changes of real bytes are refused, or read and written as they were", { timeout }, () => {
  const random = new Random(seed("random changes of real bytes"))
  let read = 0
  const tries = attempts(200_000, 50)
  for (let i = 0; i < tries; i++) {
    const sample = random.pick(all)
    if (decodeWithinBounds(sample, mutate(sample.bytes, random.pick(all).bytes, random))) read++
  }
  console.info(`${tries} tries, ${read} were read`)
  // Changes inside amounts, IDs and signatures leave bytes that can be decoded. If none could, the test would check nothing.
  expect(read).toBeGreaterThan(tries / 50)
})
