import { randomBytes } from "node:crypto"
import { POSSESSION_TAG } from "../core/crypto/bls.js"
import type { Possession } from "../core/crypto/blsLibrary.js"
import { toHex } from "../core/lib/bytes.js"
import { nobleBls } from "./blsNoble.js"
import { load } from "./load.js"

type Mcl = typeof import("mcl-wasm")
type Hash = typeof import("@noble/curves/abstract/hash-to-curve.js")

/** Loads proofs of possession in WebAssembly (mcl-wasm), some four times as fast as plain JavaScript. It takes some 50 ms. */
export async function loadPossessionWasm(): Promise<Possession> {
  const mcl = load<Mcl>("mcl-wasm")
  await mcl.init(mcl.BLS12_381)
  mcl.setETHserialization(true)
  mcl.setMapToMode(mcl.IRTF)
  // The bytes were checked for the subgroup before.
  mcl.verifyOrderG1(false)
  mcl.verifyOrderG2(false)
  const hash = hashToG2(mcl)
  const negatedBase = mcl.neg(read(new mcl.G1(), nobleBls().G1.Point.BASE.toBytes()))
  return {
    sign(secret, message) {
      const scalar = new mcl.Fr()
      scalar.setStr(toHex(secret), 16)
      return mcl.mul(hash(message), scalar).serialize()
    },
    // The pairing of a key with the hash must equal that of the base with the signature. The equations of all are multiplied, each to the
    // power of a random number that its signer does not know, so that false ones do not cancel each other out.
    verify(signed) {
      const powers = signed.map(() => randomPower(mcl))
      const signatures = signed.map(({ signature }) => read(new mcl.G2(), signature))
      let product = mcl.millerLoop(negatedBase, mcl.mulVec(signatures, powers))
      for (const [i, { publicKey, message }] of signed.entries()) {
        const key = mcl.mul(read(new mcl.G1(), publicKey), powers[i] as InstanceType<Mcl["Fr"]>)
        product = mcl.mul(product, mcl.millerLoop(key, hash(message)))
      }
      return mcl.finalExp(product).isOne()
    },
  }
}

/** Hashes messages to points under the tag, as RFC 9380 does. mcl maps elements of the field; Noble computes these from the message. */
function hashToG2(mcl: Mcl): (message: Uint8Array) => InstanceType<Mcl["G2"]> {
  const { hash_to_field } = load<Hash>("@noble/curves/abstract/hash-to-curve.js")
  const { fields, G2 } = nobleBls()
  const options = { DST: POSSESSION_TAG, p: fields.Fp.ORDER, m: 2, k: 128, expand: "xmd", hash: G2.defaults.hash } as const
  const element = (value: bigint | undefined) => {
    const made = new mcl.Fp()
    made.setStr((value as bigint).toString(16), 16)
    return made
  }
  const point = ([a, b]: readonly bigint[]) => {
    const made = new mcl.Fp2()
    made.set_a(element(a))
    made.set_b(element(b))
    return made.mapToG2()
  }
  return (message) => {
    const [first, second] = hash_to_field(message, 2, options)
    return mcl.add(point(first as bigint[]), point(second as bigint[]))
  }
}

/** Makes a random number of 128 bits. */
function randomPower(mcl: Mcl): InstanceType<Mcl["Fr"]> {
  const power = new mcl.Fr()
  power.setLittleEndian(randomBytes(16))
  return power
}

function read<Point extends { deserialize(bytes: Uint8Array): void }>(point: Point, bytes: Uint8Array): Point {
  point.deserialize(bytes)
  return point
}
