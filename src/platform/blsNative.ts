import type { Bls } from "../core/crypto/bls.js"
import { type BlsLibrary, blsOver } from "../core/crypto/blsLibrary.js"
import type { PointProblem } from "../core/crypto/errors.js"
import { nobleBls, noblePossession } from "./blsNoble.js"
import { load } from "./load.js"
import { loadPossessionWasm } from "./possessionWasm.js"

type Blst = typeof import("@chainsafe/blst")
type Key = InstanceType<Blst["PublicKey"]>
type Signature = InstanceType<Blst["Signature"]>

/**
 * Loads BLS from a prebuilt addon (@chainsafe/blst). Its tag is fixed to that of messages, so proofs of possession use plain JavaScript at
 * first, and WebAssembly once it is prepared.
 */
export function loadBlsNative(): Bls {
  const library = blstLibrary(load<Blst>("@chainsafe/blst"))
  return blsOver(library, { now: () => noblePossession(nobleBls()), faster: loadPossessionWasm })
}

function blstLibrary(blst: Blst): BlsLibrary<Key, Signature> {
  const { PublicKey, SecretKey, Signature } = blst
  return {
    name: "native",
    publicKey: (secret) => SecretKey.fromBytes(secret).toPublicKey().toBytes(),
    sign: (secret, message) => SecretKey.fromBytes(secret).sign(message).toBytes(),
    readKey: (bytes) => orProblem(() => PublicKey.fromBytes(bytes, true)),
    readSignature: (bytes) => orProblem(() => Signature.fromBytes(bytes, true, false)),
    sumKeys: (keys) =>
      orProblem(() => {
        const sum = blst.aggregateSerializedPublicKeys([...keys], false)
        sum.keyValidate()
        return sum
      }),
    sumSignatures: (signatures) => blst.aggregateSignatures([...signatures], false).toBytes(),
    uncompressed: (key) => key.toBytes(false),
    verify: (key, message, signature) => blst.verify(message, key, signature, false, false),
  }
}

const PROBLEMS: Readonly<Record<string, PointProblem>> = {
  BLST_BAD_ENCODING: "encoding",
  BLST_POINT_NOT_ON_CURVE: "encoding",
  BLST_POINT_NOT_IN_GROUP: "group",
  BLST_PK_IS_INFINITY: "infinity",
}

function orProblem<Point>(read: () => Point): Point | PointProblem {
  try {
    return read()
  } catch (error) {
    const problem = PROBLEMS[(error as { code?: string }).code ?? ""]
    if (problem === undefined) throw error
    return problem
  }
}
