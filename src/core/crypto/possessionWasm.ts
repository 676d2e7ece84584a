import { POSSESSION_TAG, type PossessionProof } from "./bls.js"
import type { Possession } from "./blsLibrary.js"
import { load } from "./load.js"

/** Functions of bls-eth-wasm that are used here. Its own types lack the tag. */
interface Instance {
  init(): Promise<void>
  setDstG2(tag: string): void
  verifyPublicKeyOrder(check: boolean): void
  verifySignatureOrder(check: boolean): void
  readonly SecretKey: new () => Secret
  readonly PublicKey: new () => Key
  readonly Signature: new () => Point
  getRandomValues(bytes: Uint8Array): void
  readonly mod: Module
}

/** The WebAssembly module itself. The package's own function for many signatures takes messages of 32 bytes only. */
interface Module {
  readonly HEAP8: Int8Array
  _malloc(size: number): number
  _free(place: number): void
  _blsMultiVerify(...places: readonly number[]): number
}

interface Point {
  /** The point as it is in the memory of the module. */
  readonly a_: Uint32Array
  deserialize(bytes: Uint8Array): void
  serialize(): Uint8Array
}

interface Key extends Point {
  verify(signature: Point, message: Uint8Array): boolean
}

interface Secret {
  deserialize(bytes: Uint8Array): void
  sign(message: Uint8Array): Point
}

/** Makes the module of bls-eth-wasm. It decodes the WebAssembly before it returns, and compiles it afterwards. */
type CreateModule = (options: unknown) => Promise<unknown>

/**
 * Creates the module while `Uint8Array.from` reads a text at once. The package decodes its 450 kB with it character by character, which
 * holds the event loop for 40 ms or more.
 */
function createFast(createModule: CreateModule, options: unknown): Promise<unknown> {
  const value = (text: string): Uint8Array => Buffer.from(text, "latin1")
  Object.defineProperty(Uint8Array, "from", { value, configurable: true })
  try {
    return createModule(options)
  } finally {
    // The function itself is inherited.
    Reflect.deleteProperty(Uint8Array, "from")
  }
}

/**
 * Loads proofs of possession in WebAssembly (bls-eth-wasm), some seven times as fast as plain JavaScript. It takes 40 ms to start, in steps
 * of at most 15.
 */
export async function loadPossessionWasm(): Promise<Possession> {
  // The tag is a global of an instance. Only this file uses the instance, and it signs only keys, so the tag is set once.
  const setup = load<(createModule: CreateModule) => Instance>("bls-eth-wasm/src/bls.js")
  const createModule = load<CreateModule>("bls-eth-wasm/src/bls_c.js")
  const instance = setup((options) => createFast(createModule, options))
  await instance.init()
  instance.setDstG2(POSSESSION_TAG)
  // The bytes were checked for the subgroup before.
  instance.verifyPublicKeyOrder(false)
  instance.verifySignatureOrder(false)
  return {
    sign(secret, message) {
      const key = new instance.SecretKey()
      key.deserialize(secret)
      return key.sign(message).serialize()
    },
    verify(publicKey, message, signature) {
      const key = new instance.PublicKey()
      key.deserialize(publicKey)
      const proof = new instance.Signature()
      proof.deserialize(signature)
      return key.verify(proof, message)
    },
    verifyAll: (proofs) => verifyTogether(instance, proofs),
  }
}

/** The size of the random factor of a proof, bytes. Invalid proofs cancel each other out with a chance of 2^-64. */
const FACTOR_SIZE = 8

/** Verifies proofs with one final exponentiation for all of them. Each is multiplied by a random factor. */
function verifyTogether(instance: Instance, proofs: readonly PossessionProof[]): boolean {
  if (proofs.length === 0) return true
  const keys = proofs.map(({ publicKey }) => read(new instance.PublicKey(), publicKey))
  const signatures = proofs.map(({ proofOfPossession }) => read(new instance.Signature(), proofOfPossession))
  const factors = new Uint8Array(FACTOR_SIZE * proofs.length)
  instance.getRandomValues(factors)
  const messages = Buffer.concat(proofs.map(({ publicKey }) => publicKey))
  const parts = [signatures, keys].map((points) => Buffer.concat(points.map(bytesOf)))
  const { mod } = instance
  const [given, size] = [[...parts, messages, factors], (proofs[0] as PossessionProof).publicKey.length]
  const start = mod._malloc(given.reduce((sum, { length }) => sum + length, 0))
  try {
    const places: number[] = []
    let place = start
    for (const bytes of given) {
      mod.HEAP8.set(bytes, place)
      places.push(place)
      place += bytes.length
    }
    const [signaturesAt = 0, keysAt = 0, messagesAt = 0, factorsAt = 0] = places
    return mod._blsMultiVerify(signaturesAt, keysAt, messagesAt, size, factorsAt, FACTOR_SIZE, proofs.length, 0) === 1
  } finally {
    mod._free(start)
  }
}

function read<P extends Point>(point: P, bytes: Uint8Array): P {
  point.deserialize(bytes)
  return point
}

const bytesOf = ({ a_ }: Point): Uint8Array => new Uint8Array(a_.buffer, a_.byteOffset, a_.byteLength)
