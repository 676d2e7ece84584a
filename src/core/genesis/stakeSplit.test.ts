import { expect, test } from "vitest"
import type { Address } from "../types/address.js"
import { splitStake } from "./build.js"

const of = (owner: string, ...schedule: (readonly [amount: bigint, locktime: bigint])[]) => ({
  avaxAddr: owner as Address,
  unlockSchedule: schedule.map(([amount, locktime]) => ({ amount, locktime })),
})

const shown = (allocations: Parameters<typeof splitStake>[0], stakers: number) =>
  splitStake(allocations, stakers).map((parts) =>
    parts.map(({ address, amount, locktime }) => `${address} ${amount} until ${locktime}`),
  )

test("the last staker gets the rest of an uneven division", () => {
  expect(shown([of("a", [103n, 7n])], 3)).toEqual([["a 34 until 7"], ["a 34 until 7"], ["a 35 until 7"]])
})

test("an amount across the boundary of two stakers is cut, owner and lock time kept", () => {
  expect(shown([of("a", [30n, 1n], [25n, 2n]), of("b", [45n, 3n])], 3)).toEqual([
    ["a 30 until 1", "a 3 until 2"],
    ["a 22 until 2", "b 11 until 3"],
    ["b 34 until 3"],
  ])
})

test("a share that is exactly full gets a part of zero of the next owner", () => {
  expect(shown([of("a", [50n, 1n]), of("b", [50n, 2n])], 2)).toEqual([["a 50 until 1", "b 0 until 2"], ["b 50 until 2"]])
})

test("with less than one nAVAX for each staker, the last gets everything", () => {
  expect(shown([of("a", [0n, 9n], [2n, 1n])], 3)).toEqual([["a 0 until 1"], ["a 0 until 1"], ["a 2 until 1"]])
})

test("without funds there is a single empty share", () => {
  expect(shown([of("a", [0n, 1n])], 3)).toEqual([[]])
  expect(shown([], 1)).toEqual([[]])
})
