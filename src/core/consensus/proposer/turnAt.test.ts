import { expect, test } from "vitest"
import { upgradesFor } from "../../networks/index.js"
import { LOCAL_ID } from "../../networks/names.js"
import type { NodeID } from "../../types/id.js"
import { turnAt } from "./turnAt.js"
import { Windower } from "./windower.js"
import type { OuterParent } from "./wrapperRules.js"

const nodeID = (i: number) => `${i}`.repeat(40) as NodeID
const windower = new Windower(
  [1, 2, 3, 4, 5].map((i) => ({ nodeID: nodeID(i), weight: 2_000_000n })),
  7n,
)
const upgrades = upgradesFor(LOCAL_ID)
const T = 1_750_000_000n
const parent = { timestamp: T, block: { wrapper: {} } } as OuterParent
const bare = { timestamp: T, block: { wrapper: undefined } } as OuterParent

test("since Durango a slot of five seconds has one owner, who signs", () => {
  for (const slot of [0n, 1n, 2n, 30n]) {
    const owner = windower.ownerOf(slot)
    for (let i = 1; i <= 5; i++) {
      expect(turnAt(parent, { windower, nodeID: nodeID(i), nowSeconds: T + slot * 5n + 4n, upgrades })).toEqual({
        isOwn: owner === nodeID(i),
        isSigned: true,
        until: T + slot * 5n + 5n,
      })
    }
  }
})

test("without validators, and after a bare block, any node proposes unsigned", () => {
  const anybody = { isOwn: true, isSigned: false, until: undefined }
  const search = { windower: new Windower([], 7n), nodeID: nodeID(1), nowSeconds: T, upgrades }
  expect(turnAt(parent, search)).toEqual(anybody)
  expect(turnAt(bare, { ...search, windower })).toEqual(anybody)
})

test("before Durango proposers wait for their windows, and after 30 seconds blocks are unsigned", () => {
  const before = { ...upgrades, times: { ...upgrades.times, durango: T + 1_000n } }
  const late = [1, 2, 3, 4, 5].map(nodeID).find((each) => windower.delayOf(each) > 0n) as NodeID
  const delay = windower.delayOf(late)
  const at = (nowSeconds: bigint, each = late) => turnAt(parent, { windower, nodeID: each, nowSeconds, upgrades: before })
  expect(at(T + delay - 1n)).toEqual({ isOwn: false, isSigned: true, until: T + delay })
  expect(at(T + delay)).toEqual({ isOwn: true, isSigned: true, until: T + 30n })
  expect(at(T + 30n)).toEqual({ isOwn: true, isSigned: false, until: undefined })
})
