import { hash } from "node:crypto"
import type { Bls } from "../core/crypto/bls.js"
import type { Crypto } from "../core/crypto/crypto.js"
import type { Secp256k1 } from "../core/crypto/secp256k1.js"
import { loadBlsNative } from "./blsNative.js"
import { loadBlsNoble } from "./blsNoble.js"
import { parseCertificate } from "./certificate.js"
import { loadSecp256k1Noble } from "./secp256k1Noble.js"

/** The back ends for secp256k1: one library for all platforms, and plain JavaScript where it does not load. */
export const secp256k1Backends = {
  wasm: async () => (await import("./secp256k1Wasm.js")).loadSecp256k1Wasm(),
  noble: async () => loadSecp256k1Noble(),
} satisfies Record<string, () => Promise<Secp256k1>>

/** The back ends for BLS: one library, and plain JavaScript where it has no binary. */
export const blsBackends = {
  native: loadBlsNative,
  noble: loadBlsNoble,
} satisfies Record<string, () => Bls>

/** Back ends by name. By default the first one is used if it loads, otherwise the second. */
export interface BackendChoice {
  readonly secp256k1?: keyof typeof secp256k1Backends | undefined
  readonly bls?: keyof typeof blsBackends | undefined
}

// The back ends that this process uses. All back ends give the same results, so no
// computation depends on it, and loading one takes too long to do it before it is needed.
const chosen: { choice: BackendChoice; secp256k1?: Secp256k1 | undefined; bls?: Bls | undefined } = { choice: {} }
let loading: Promise<void> | undefined

/** Selects the back ends from now on, for the node's start and for tests. Nothing is loaded yet. Throws if there is none of this name. */
export function chooseBackends(choice: BackendChoice): void {
  for (const [backends, name] of [
    [secp256k1Backends, choice.secp256k1],
    [blsBackends, choice.bls],
  ] as const) {
    if (name !== undefined && !(name in backends)) {
      throw new Error(`there is no back end "${name}", only ${Object.keys(backends).join(" and ")}`)
    }
  }
  chosen.choice = choice
  chosen.secp256k1 = undefined
  chosen.bls = undefined
  loading = undefined
}

/** Returns the secp256k1 back end of this process. Before `loadSecp256k1` it is the one in plain JavaScript, which needs no preparation. */
export function secp256k1(): Secp256k1 {
  chosen.secp256k1 ??= loadSecp256k1Noble()
  return chosen.secp256k1
}

/** Loads the secp256k1 back end. WebAssembly is compiled asynchronously, so every node, replay and thread waits for it once. */
export function loadSecp256k1(): Promise<void> {
  loading ??= loadChosenSecp256k1()
  return loading
}

async function loadChosenSecp256k1(): Promise<void> {
  const { choice } = chosen
  const { wasm, noble } = secp256k1Backends
  const backend = await (choice.secp256k1 ? secp256k1Backends[choice.secp256k1]() : wasm().catch(noble))
  // Another one may have been chosen meanwhile.
  if (chosen.choice === choice) chosen.secp256k1 = backend
}

/** Returns the BLS back end of this process, loaded at the first call. */
export function bls(): Bls {
  chosen.bls ??= chosen.choice.bls ? blsBackends[chosen.choice.bls]() : firstBls()
  return chosen.bls
}

function firstBls(): Bls {
  try {
    return loadBlsNative()
  } catch {
    return loadBlsNoble()
  }
}

/** Returns which back ends this process uses. */
export function backendNames(): { readonly secp256k1: string; readonly bls: string } {
  return { secp256k1: secp256k1().name, bls: bls().name }
}

/** Loads every back end now, so that no later call waits for it. It takes some 100 ms. */
export async function loadBackends(): Promise<void> {
  await Promise.all([loadSecp256k1(), bls().preparePossession()])
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
