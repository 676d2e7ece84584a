import type { Bls } from "./bls.js"
import { loadBlsNative } from "./blsNative.js"
import { loadBlsNoble } from "./blsNoble.js"
import type { Secp256k1 } from "./secp256k1.js"
import { loadSecp256k1Native } from "./secp256k1Native.js"
import { loadSecp256k1Noble } from "./secp256k1Noble.js"
import { loadSecp256k1Wasm } from "./secp256k1Wasm.js"

/** The back ends for secp256k1, the fastest first. A further one is one file and one line here. */
export const secp256k1Backends = {
  native: loadSecp256k1Native,
  wasm: loadSecp256k1Wasm,
  noble: loadSecp256k1Noble,
} satisfies Record<string, () => Secp256k1>

/** The back ends for BLS, the fastest first. */
export const blsBackends = {
  native: loadBlsNative,
  noble: loadBlsNoble,
} satisfies Record<string, () => Bls>

/** Back ends by name. What is left out is chosen: the fastest one that loads. */
export interface BackendChoice {
  readonly secp256k1?: keyof typeof secp256k1Backends | undefined
  readonly bls?: keyof typeof blsBackends | undefined
}

// The one value of this folder that is shared and changes: which back ends this process uses. They answer alike,
// so nothing that is computed depends on it, and loading one costs too much to do it before it is needed.
const chosen: { choice: BackendChoice; secp256k1?: Secp256k1 | undefined; bls?: Bls | undefined } = { choice: {} }

/** Names the back ends to use from now on; nothing is loaded yet. For the node's start, and for tests. */
export function chooseBackends(choice: BackendChoice): void {
  chosen.choice = choice
  chosen.secp256k1 = undefined
  chosen.bls = undefined
}

/** The secp256k1 back end of this process, loaded at the first call. */
export function secp256k1(): Secp256k1 {
  chosen.secp256k1 ??= open("secp256k1", secp256k1Backends, chosen.choice.secp256k1)
  return chosen.secp256k1
}

/** The BLS back end of this process, loaded at the first call. */
export function bls(): Bls {
  chosen.bls ??= open("BLS", blsBackends, chosen.choice.bls)
  return chosen.bls
}

/** Loads every back end now, so that nobody who asks later waits for it: some 100 ms. */
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
