import { expect, test } from "vitest"
import { NetworkLead } from "./networkLead.js"

/** Notes pairs of heights a second apart, and returns the blocks and the milliseconds after each. */
function leads(heights: readonly (readonly [network: number | undefined, own: number])[]) {
  const lead = new NetworkLead()
  return heights.map(([network, own], second) => {
    lead.note(network === undefined ? undefined : BigInt(network), BigInt(own), second * 1000)
    return [lead.blocks, lead.sinceMs(second * 1000)]
  })
}

test("a node that has all blocks of its network is not behind", () => {
  expect(
    leads([
      [undefined, 5],
      [5, 5],
      [5, 6],
    ]),
  ).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
})

test("the time counts from the first block that the node lacks, also while the height of the network is not known", () => {
  expect(
    leads([
      [7, 5],
      [9, 5],
      [undefined, 5],
      [9, 7],
      [9, 8],
      [9, 9],
    ]),
  ).toEqual([
    [2, 0],
    [4, 1000],
    [4, 2000],
    [2, 2000],
    [1, 3000],
    [0, 0],
  ])
})

test("a node that stands still remembers a limited number of heights", () => {
  const standing = Array.from({ length: 3000 }, (_, i) => [i + 1, 0] as const)
  expect(leads(standing).at(-1)).toEqual([3000, 2_999_000])
})
