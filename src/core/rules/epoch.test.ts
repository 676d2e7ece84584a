import { expect, test } from "vitest"
import { upgradesFor } from "../networks/index.js"
import { contextHeight, newEpoch, ZERO_EPOCH } from "./epoch.js"

const mainnet = upgradesFor(1)
const GRANITE = 1_763_568_000n

test("no block before Granite has an epoch, and the first after it opens one at its parent", () => {
  const parent = { timestamp: GRANITE - 5n, pChainHeight: 100n, epoch: ZERO_EPOCH }
  expect(newEpoch(mainnet, parent, GRANITE - 1n)).toEqual(ZERO_EPOCH)
  expect(newEpoch(mainnet, parent, GRANITE)).toEqual({ pChainHeight: 100n, number: 1n, startTime: GRANITE - 5n })
})

test("an epoch lasts until the child of the block that crossed its end", () => {
  const epoch = { pChainHeight: 100n, number: 1n, startTime: GRANITE }
  const parentAt = (timestamp: bigint) => ({ timestamp, pChainHeight: 120n, epoch })
  expect(newEpoch(mainnet, parentAt(GRANITE + 299n), GRANITE + 900n)).toEqual(epoch)
  expect(newEpoch(mainnet, parentAt(GRANITE + 300n), GRANITE + 300n)).toEqual({
    pChainHeight: 120n,
    number: 2n,
    startTime: GRANITE + 300n,
  })
})

test("Warp is verified at the parent's height, since Etna at the block's own, since Granite at the epoch's", () => {
  const heightAt = (timestamp: bigint) =>
    contextHeight(mainnet, { timestamp, pChainHeight: 2n, epoch: { pChainHeight: 3n, number: 1n, startTime: 0n } }, 1n)
  expect([1_734_368_399n, 1_734_368_400n, GRANITE - 1n, GRANITE].map(heightAt)).toEqual([1n, 2n, 2n, 3n])
})
