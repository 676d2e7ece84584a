import { hash } from "node:crypto"
import type { Bls } from "../core/crypto/bls.js"
import type { Crypto } from "../core/crypto/crypto.js"
import type { Secp256k1 } from "../core/crypto/secp256k1.js"
import { loadBlsNative } from "./blsNative.js"
import { loadBlsNoble } from "./blsNoble.js"
import { parseCertificate } from "./certificate.js"
import { loadSecp256k1Noble } from "./secp256k1Noble.js"
import { loadSecp256k1Wasm } from "./secp256k1Wasm.js"

/** The back ends for secp256k1: one library for all platforms, and plain JavaScript where it does not load. */
export const secp256k1Backends = {
  wasm: loadSecp256k1Wasm,
  noble: loadSecp256k1Noble,
} satisfies Record<string, () => Secp256k1>

/** The back ends for BLS: one library, and plain JavaScript where it has no binary. */
export const blsBackends = {
  native: loadBlsNative,
  noble: loadBlsNoble,
} satisfies Record<string, () => Bls>

/** Back ends by name. By default the first one that loads is used. */
export interface BackendChoice {
  readonly secp256k1?: keyof typeof secp256k1Backends | undefined
  readonly bls?: keyof typeof blsBackends | undefined
}

// The back ends that this process uses. All back ends give the same results, so no
// computation depends on it, and loading one takes too long to do it before it is needed.
const chosen: { choice: BackendChoice; secp256k1?: Secp256k1 | undefined; bls?: Bls | undefined } = { choice: {} }

/** Selects the back ends from now on, for the node's start and for tests. Nothing is loaded yet. */
export function chooseBackends(choice: BackendChoice): void {
  chosen.choice = choice
  chosen.secp256k1 = undefined
  chosen.bls = undefined
}

/** Returns the secp256k1 back end of this process, loaded at the first call. */
export function secp256k1(): Secp256k1 {
  chosen.secp256k1 ??= open("secp256k1", secp256k1Backends, chosen.choice.secp256k1)
  return chosen.secp256k1
}

/** Returns the BLS back end of this process, loaded at the first call. */
export function bls(): Bls {
  chosen.bls ??= open("BLS", blsBackends, chosen.choice.bls)
  return chosen.bls
}

/** Returns which back ends this process uses, and loads them for that. */
export function backendNames(): { readonly secp256k1: string; readonly bls: string } {
  return { secp256k1: secp256k1().name, bls: bls().name }
}

/** Loads every back end now, so that no later call waits for it. It takes some 100 ms. */
export async function loadBackends(): Promise<void> {
  secp256k1()
  await bls().preparePossession()
}

function open<Backend>(what: string, backends: Record<string, () => Backend>, name: string | undefined): Backend {
  const names = name === undefined ? Object.keys(backends) : [name]
  const causes: unknown[] = []
  for (const candidate of names) {
    try {
      return backends[candidate]!()
    } catch (error) {
      causes.push(error)
    }
  }
  throw new AggregateError(causes, `no ${what} back end loads: tried ${names.join(", ")}`)
}

/** The back ends of this process for core, which loads none itself. */
export const crypto: Crypto = {
  get secp256k1() {
    return secp256k1()
  },
  get bls() {
    return bls()
  },
  parseCertificate,
  sha256Hex: (bytes) => hash("sha256", bytes, "hex"),
}
