import { describe, expect, test } from "vitest"
import { txTypes } from "../../src/core/txs/index.js"
import type { TxKind } from "../../src/core/txs/unsignedTx.js"
import { bls } from "../../src/platform/backends.js"
import { variants } from "./refusals/index.js"
import { type SpendingKind, sharedVariants } from "./refusals/shared.js"
import { refusalOf, type Variants } from "./refusals/variant.js"

/** A time after every lock, Unix seconds. */
const END_OF_TIME = 2n ** 60n

/** Refusals that the last accepted state decides. */
const byHeight = ["rules.unknown_chain", "rules.not_waiting"]

await bls().preparePossession()

const spends = (kind: TxKind): kind is SpendingKind =>
  !["AdvanceTimeTx", "RewardValidatorTx", "RewardAutoRenewedValidatorTx"].includes(kind)

describe.each(txTypes.map(({ kind }) => kind))("a %s", (kind) => {
  test("is accepted", () => {
    expect(refusalOf(kind, {})).toBeUndefined()
  })

  const shared = (spends(kind) ? sharedVariants(kind) : []) as Variants<typeof kind>
  test.each([...shared, ...(variants[kind] as Variants<typeof kind>)])("is refused with $name: $code", (variant) => {
    const refusal = refusalOf(kind, variant)
    const atTheEnd = refusalOf(kind, { ...variant, now: END_OF_TIME })
    expect(refusal?.code).toBe(variant.code)
    if (atTheEnd?.code !== variant.code) expect(refusal?.dependsOn).toBe("clock")
    if (byHeight.includes(variant.code)) expect(refusal?.dependsOn).toBe("height")
  })
})
