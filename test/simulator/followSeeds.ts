import { expect, test } from "vitest"
import { followRun, future, past, tip } from "./followRun.js"
import { seedRange, seedsIn } from "./seedRange.js"

/** Declares a test for every second seed. Two files share the seeds, so that they run on two cores. */
export function testFollowing(which: "odd" | "even"): void {
  const range = seedRange([1, 20], [1, 5_000])
  const all = seedsIn(range, range)
  test.each(all.filter((seed) => (seed % 2 === 1) === (which === "odd")))(
    "ten nodes agree block for block, whatever happens on the way: seed %i",
    expectAgreement,
  )
}

function expectAgreement(seed: number): void {
  const { simulation, followers } = followRun(seed)
  const isDone = () => followers.every((node) => node.isUp && node.chain.lastAccepted.id === tip.id)
  const arrived = simulation.runUntil(isDone, 200_000)
  const heights = followers.map(({ chain }) => Number(chain.lastAccepted.height))
  expect([seed, arrived, heights]).toEqual([seed, true, Array(5).fill(10)])
  for (const { chain, halted } of followers) {
    expect([...past, ...future].map(({ height }) => chain.idAt(height))).toEqual([...past, ...future].map(({ id }) => id))
    expect(halted).toEqual([])
  }
}
