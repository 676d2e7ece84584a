import { expect, test } from "vitest"
import { followRun, future, past, tip } from "./followRun.js"

/** `npm run soak` runs a hundred times as many. */
const seeds = Array.from({ length: process.env.SERAC_SOAK ? 5_000 : 50 }, (_, i) => i + 1)

test.each(seeds)("ten nodes agree block for block, whatever happens on the way: seed %i", (seed) => {
  const { simulation, followers } = followRun(seed)
  const isDone = () => followers.every((node) => node.isUp && node.chain.lastAccepted.id === tip.id)
  const arrived = simulation.runUntil(isDone, 200_000)
  expect([seed, arrived, followers.map(({ chain }) => Number(chain.lastAccepted.height))]).toEqual([
    seed,
    true,
    Array(5).fill(10),
  ])
  for (const { chain, halted } of followers) {
    expect([...past, ...future].map(({ height }) => chain.idAt(height))).toEqual([...past, ...future].map(({ id }) => id))
    expect(halted).toEqual([])
  }
})
