import type { StatePort } from "../core/chain/statePort.js"
import { decode, encode } from "../core/codec/decode.js"
import { equalBytes } from "../core/lib/bytes.js"
import { valueOrThrow } from "../core/lib/invalid.js"
import { heightOf } from "../core/state/tables.js"
import type { Address } from "../core/types/address.js"
import {
  addOverride,
  currentOverrides,
  type Overrides,
  overrideEdits,
  type ProjectOverride,
} from "../producer/chain/overrides.js"
import { devTables, type OverrideRow } from "../producer/tables.js"
import { syncError } from "../sync/errors.js"
import { projectOverride } from "./readModel.js"

/** The overrides in a copy of a private chain. They are applied after the same blocks as in the chain, and recorded as there. */
export class CopiedOverrides {
  readonly #store: Pick<StatePort, "latest" | "commit">
  readonly #project: ProjectOverride
  readonly #overrides: Overrides

  /** `project` adds the read model's rows of an override. */
  constructor(store: Pick<StatePort, "latest" | "commit">, project: ProjectOverride = projectOverride) {
    this.#store = store
    this.#project = project
    this.#overrides = currentOverrides(store.latest)
  }

  /** The number of overrides that the copy has. */
  get count(): number {
    return this.#overrides.count
  }

  /** Returns the bytes of all overrides, in their order. */
  bytes(): Uint8Array[] {
    return [...this.#store.latest.rows(devTables.overrides)].map(([, row]) => encode(devTables.overrides.value, row))
  }

  /** Returns whether signatures of an owner are not verified. */
  isImpersonated(owner: Address): boolean {
    return this.#overrides.impersonated.has(owner)
  }

  /** Returns whether the copy has this override in this place. */
  has(position: bigint, bytes: Uint8Array): boolean {
    const known = this.#store.latest.get(devTables.overrides, position)
    return known !== undefined && equalBytes(encode(devTables.overrides.value, known), bytes)
  }

  /** Decodes the row of an override. Throws `sync.bad_override`. */
  static rowOf(position: bigint, bytes: Uint8Array): OverrideRow {
    return valueOrThrow(
      () => decode(devTables.overrides.value, bytes),
      ({ message }) => syncError("sync.bad_override", { position, reason: message }),
    )
  }

  /**
   * Applies an override after the last written block, or compares it with the one that the copy has in its place. Returns whether it was
   * applied. Throws `sync.other_override` and `sync.bad_override`.
   */
  apply(position: bigint, bytes: Uint8Array): boolean {
    const { latest } = this.#store
    const row = CopiedOverrides.rowOf(position, bytes)
    const known = latest.get(devTables.overrides, position)
    const height = heightOf(latest)
    if (known) {
      if (this.has(position, bytes)) return false
      throw syncError("sync.other_override", { position, height: row.height })
    }
    if (position !== BigInt(this.count) || row.height !== height) {
      throw syncError("sync.bad_override", { position, expected: this.count, height: row.height, lastAccepted: height })
    }
    this.#store.commit(overrideEdits(latest, [row.override], this.count, this.#project))
    addOverride(this.#overrides, row.override)
    return true
  }
}
