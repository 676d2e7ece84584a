import { describe, expect, test } from "vitest"
import { bls } from "../../src/core/crypto/backends.js"
import { txTypes } from "../../src/core/txs/index.js"
import type { TxKind } from "../../src/core/txs/unsignedTx.js"
import { variants } from "./refusals/index.js"
import { type SpendingKind, sharedVariants } from "./refusals/shared.js"
import { codeOf, type Variants } from "./refusals/variant.js"

await bls().preparePossession()

const spends = (kind: TxKind): kind is SpendingKind =>
  !["AdvanceTimeTx", "RewardValidatorTx", "RewardAutoRenewedValidatorTx"].includes(kind)

describe.each(txTypes.map(({ kind }) => kind))("a %s", (kind) => {
  test("is accepted", () => {
    expect(codeOf(kind, {})).toBeUndefined()
  })

  const shared = (spends(kind) ? sharedVariants(kind) : []) as Variants<typeof kind>
  test.each([...shared, ...(variants[kind] as Variants<typeof kind>)])("is refused with $name: $code", (variant) => {
    expect(codeOf(kind, variant)).toBe(variant.code)
  })
})
