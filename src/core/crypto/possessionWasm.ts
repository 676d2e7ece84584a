import { POSSESSION_TAG } from "./bls.js"
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
}

interface Point {
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

/** Makes the module of bls-eth-wasm; it decodes the WebAssembly before it returns, and compiles it afterwards. */
type CreateModule = (options: unknown) => Promise<unknown>

/**
 * Creates the module while `Uint8Array.from` reads a text at once. The package decodes its 450 kB with it character by character, which
 * holds the event loop for 40 ms and more.
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

/** Proofs of possession in WebAssembly (bls-eth-wasm), some seven times as fast as plain JavaScript; 40 ms to start, in steps of at most 15. */
export async function loadPossessionWasm(): Promise<Possession> {
  // The tag is a global of an instance. This instance is ours alone and signs nothing but keys, so it is set once.
  const setup = load<(createModule: CreateModule) => Instance>("bls-eth-wasm/src/bls.js")
  const createModule = load<CreateModule>("bls-eth-wasm/src/bls_c.js")
  const instance = setup((options) => createFast(createModule, options))
  await instance.init()
  instance.setDstG2(POSSESSION_TAG)
  // The bytes have been checked for the subgroup before they come here.
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
  }
}
