import { concatBytes } from "../core/lib/bytes.js"
import { withoutReservedBits } from "./zstdSequences.js"

const MAGIC = 0xfd2fb528
/** The first of 16 magic numbers of frames that decoders skip. */
const SKIPPABLE_MAGIC = 0x184d2a50
const MIN_HEADER_SIZE = 5
const SKIPPABLE_HEADER_SIZE = 8
const BLOCK_HEADER_SIZE = 3
const CHECKSUM_SIZE = 4
const MAX_BLOCK_SIZE = 128 * 1024
const MAX_WINDOW_LOG = 31
/** The largest window for which AvalancheGo's decoder makes room, bytes. */
const MAX_WINDOW_SIZE = 2n ** 27n + 1n
/** AvalancheGo unpacks a frame of up to these sizes at once, without a window. */
const MAX_PACKED_AT_ONCE = MAX_BLOCK_SIZE + BLOCK_HEADER_SIZE
const MAX_UNPACKED_AT_ONCE = BigInt(MAX_BLOCK_SIZE)

/** More than any content has, bytes. */
const MAX_CONTENT_SIZE = 2n ** 64n

const RAW_BLOCK = 0
const RLE_BLOCK = 1
const COMPRESSED_BLOCK = 2
const RESERVED_BLOCK = 3

/** A zstd frame that a decoder of whole frames unpacks. */
export interface ZstdFrame {
  readonly bytes: Uint8Array
  /** The smallest and the largest size that the content may have. */
  readonly minSize: bigint
  readonly maxSize: bigint
  /** The bytes behind the frame. */
  readonly rest: Uint8Array
}

/**
 * Finds the first frame of a compressed message as AvalancheGo's decoder does, which reads a stream: of a frame whose end is missing it takes
 * the blocks that are there, and without a whole header nothing. Returns `undefined` for nothing. Throws a RangeError if the bytes are refused.
 */
export function findZstdFrame(bytes: Uint8Array): ZstdFrame | undefined {
  if (bytes.length < MIN_HEADER_SIZE) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const magic = view.getUint32(0, true)
  if (magic >>> 4 === SKIPPABLE_MAGIC >>> 4) {
    const isCut = bytes.length < SKIPPABLE_HEADER_SIZE
    if (!isCut && SKIPPABLE_HEADER_SIZE + view.getUint32(4, true) < bytes.length) throw new RangeError("a frame to be skipped")
    return undefined
  }
  if (magic !== MAGIC) throw new RangeError("no zstd frame")
  const header = headerOf(view)
  return header && frameOf(bytes, header)
}

interface Header {
  readonly size: number
  readonly hasChecksum: boolean
  readonly contentSize: bigint | undefined
  readonly windowSize: bigint
}

/** Reads the header of a frame; `undefined` if it is not complete. */
function headerOf(view: DataView): Header | undefined {
  const descriptor = view.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionarySize = [0, 1, 2, 4][descriptor & 3] as number
  const contentFieldSize = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number
  const dictionaryAt = MIN_HEADER_SIZE + (isSingleSegment ? 0 : 1)
  const contentAt = dictionaryAt + dictionarySize
  const size = contentAt + contentFieldSize
  if (view.byteLength < size) return undefined
  if ((descriptor & 0x08) !== 0) throw new RangeError("the reserved bit is set")
  if (littleEndian(view, dictionaryAt, dictionarySize) !== 0n) throw new RangeError("there is no dictionary")
  const stated = littleEndian(view, contentAt, contentFieldSize) + (contentFieldSize === 2 ? 256n : 0n)
  const contentSize = contentFieldSize === 0 ? undefined : stated
  const windowSize = isSingleSegment ? stated : windowSizeOf(view.getUint8(MIN_HEADER_SIZE))
  return { size, hasChecksum: (descriptor & 0x04) !== 0, contentSize, windowSize }
}

function littleEndian(view: DataView, at: number, size: number): bigint {
  let value = 0n
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(view.getUint8(at + i))
  return value
}

function windowSizeOf(descriptor: number): bigint {
  const log = 10 + (descriptor >> 3)
  if (log > MAX_WINDOW_LOG) throw new RangeError("the window is too large")
  const base = 1n << BigInt(log)
  return base + (base >> 3n) * BigInt(descriptor & 7)
}

function frameOf(read: Uint8Array, header: Header): ZstdFrame | undefined {
  const { contentSize, hasChecksum } = header
  const { blocks, end, isLast } = blocksOf(read, header.size)
  const compressed = blocks.filter(({ type }) => type === COMPRESSED_BLOCK)
  const bytes = withoutReservedBits(read, compressed)
  const wholeEnd = end + (hasChecksum ? CHECKSUM_SIZE : 0)
  const isWhole = isLast && wholeEnd <= bytes.length
  const facts = { minSize: contentSize ?? 0n, maxSize: contentSize ?? MAX_CONTENT_SIZE, rest: bytes.subarray(wholeEnd) }
  const isAtOnce = contentSize !== undefined && contentSize <= MAX_UNPACKED_AT_ONCE && wholeEnd <= MAX_PACKED_AT_ONCE
  if (isWhole && isAtOnce) return { ...facts, bytes: bytes.subarray(0, wholeEnd) }
  checkWindow(header, blocks)
  const full = blocks.filter(({ size }) => size > 0)
  // The stated size is compared with the content when the last block ends, if that is not empty.
  const isCompared = isLast && blocks.at(-1) === full.at(-1)
  const checksum = isWhole && hasChecksum ? bytes.subarray(end, wholeEnd) : undefined
  return { ...facts, bytes: rewritten(bytes, header, full, checksum), minSize: isCompared ? facts.minSize : 0n }
}

/** A block, or the part of it that is there. */
interface Block {
  readonly type: number
  /** The size that the header of the block states: that of its bytes, or of the content if one byte is repeated. */
  readonly statedSize: number
  readonly start: number
  readonly size: number
}

/** Finds the blocks of a frame, as far as they are there. A part of a block is taken only if the block is not compressed. */
function blocksOf(bytes: Uint8Array, start: number): { blocks: Block[]; end: number; isLast: boolean } {
  const blocks: Block[] = []
  let isLast = false
  let at = start
  while (!isLast && at + BLOCK_HEADER_SIZE <= bytes.length) {
    const header = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)
    const type = (header >> 1) & 3
    if (type === RESERVED_BLOCK) throw new RangeError("there is no such type of block")
    at += BLOCK_HEADER_SIZE
    const statedSize = header >> 3
    const packedSize = type === RLE_BLOCK ? 1 : statedSize
    const isThere = at + packedSize <= bytes.length
    const size = isThere ? packedSize : type === RAW_BLOCK ? bytes.length - at : 0
    blocks.push({ type, statedSize, start: at, size })
    if (!isThere) return { blocks, end: bytes.length, isLast: false }
    at += packedSize
    isLast = (header & 1) !== 0
  }
  return { blocks, end: isLast ? at : bytes.length, isLast }
}

/** Checks that a decoder of streams has room for a window of this size, and that no block is larger than it allows. */
function checkWindow({ windowSize }: Header, blocks: readonly Block[]): void {
  if (windowSize > MAX_WINDOW_SIZE) throw new RangeError("the window is too large")
  const limit = Math.min(MAX_BLOCK_SIZE, Number(windowSize))
  for (const { type, statedSize, size } of blocks) {
    const isTooLarge = type === RLE_BLOCK ? limit === 0 || (size > 0 && statedSize > limit) : statedSize > limit
    if (isTooLarge) throw new RangeError("a block is larger than the window")
  }
}

/** Writes a frame of these blocks, which states no size. */
function rewritten(
  bytes: Uint8Array,
  { windowSize }: Header,
  blocks: readonly Block[],
  checksum: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const windowLog = Math.max(10, (windowSize - 1n).toString(2).length)
  const head = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, checksum.length > 0 ? 0x04 : 0, (windowLog - 10) << 3)
  const parts = blocks.flatMap(({ type, statedSize, start, size }) => {
    return [blockHeader(type, type === RAW_BLOCK ? size : statedSize, false), bytes.subarray(start, start + size)]
  })
  return concatBytes(head, ...parts, blockHeader(RAW_BLOCK, 0, true), checksum)
}

function blockHeader(type: number, size: number, isLast: boolean): Uint8Array {
  const header = (size << 3) | (type << 1) | (isLast ? 1 : 0)
  return Uint8Array.of(header & 0xff, (header >> 8) & 0xff, header >> 16)
}
