import { expect, test } from "vitest"
import type { ID } from "../types/id.js"
import { type BlockPlace, partingFrom, type Removals, withRemoval } from "./removedBlocks.js"

/** A chain of blocks that goes back; the ID of a block tells its height and its branch. */
class Chain {
  ids: ID[] = ["0" as ID]
  removals: Removals = []
  #branch = 0

  grow(count: number): void {
    for (let i = 0; i < count; i++) this.ids.push(`${this.ids.length}.${this.#branch}` as ID)
  }

  backTo(height: number): void {
    const common = { height: BigInt(height), id: this.ids[height] as ID }
    this.removals = withRemoval(this.removals, BigInt(this.ids.length - 1), common, (at) => this.ids[Number(at)])
    this.ids.length = height + 1
    this.#branch++
  }

  last(): BlockPlace {
    return { height: BigInt(this.ids.length - 1), id: this.ids.at(-1) as ID }
  }

  partingFrom(place: BlockPlace) {
    return partingFrom(place, ({ height, id }) => this.ids[Number(height)] === id, this.removals)
  }
}

test("where a reader parted from a chain is found over any number of reverts, with what the reader has after it", () => {
  const chain = new Chain()
  chain.grow(5)
  const first = chain.last()
  chain.backTo(3)
  chain.grow(4)
  const second = chain.last()
  chain.backTo(5)
  chain.grow(1)
  chain.backTo(1)
  chain.grow(9)
  expect(chain.partingFrom(first)).toEqual({ common: { height: 1n, id: "1.0" }, removed: ["2.0", "3.0", "4.0", "5.0"] })
  expect(chain.partingFrom(second)?.removed).toEqual(["2.0", "3.0", "4.1", "5.1", "6.1", "7.1"])
  expect(chain.partingFrom(chain.last())).toEqual({ common: chain.last(), removed: [] })
  expect(chain.partingFrom({ height: 3n, id: "never" as ID })).toBeUndefined()
})

test("the last 4,096 removed blocks are remembered, and where a larger removal began", () => {
  const chain = new Chain()
  chain.grow(10)
  const early = chain.last()
  chain.backTo(2)
  chain.grow(5000)
  const [lowest, last] = [{ height: 3n, id: "3.1" as ID }, chain.last()]
  chain.backTo(2)
  expect(chain.removals.map(({ ids }) => ids.length)).toEqual([4096])
  expect(chain.partingFrom(last)).toEqual({ common: { height: 2n, id: "2.0" }, removed: undefined })
  expect([chain.partingFrom(lowest), chain.partingFrom(early)]).toEqual([undefined, undefined])
})

test("a block that is accepted again is no longer gone", () => {
  const chain = new Chain()
  chain.grow(4)
  const last = chain.last()
  const { ids } = chain
  chain.ids = [...ids]
  chain.backTo(2)
  chain.ids = ids
  expect(chain.partingFrom(last)).toEqual({ common: last, removed: [] })
})
