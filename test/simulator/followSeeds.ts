import { expect, test } from "vitest"
import { followRun, future, past, tip } from "./followRun.js"

/** The seeds of a run, first and last: 50, in soak 5,000. `SERAC_SEEDS` names others, such as `601-1200`. */
function seedRange(): readonly [number, number] {
  const named = /^(\d+)-(\d+)$/.exec(process.env.SERAC_SEEDS ?? "")
  if (named) return [Number(named[1]), Number(named[2])]
  return [1, process.env.SERAC_SOAK ? 5_000 : 50]
}

/** Declares a test for every second seed. Two files share the seeds, so that they run on two cores. */
export function testFollowing(which: "odd" | "even"): void {
  const [first, last] = seedRange()
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i)
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
