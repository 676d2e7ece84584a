import { expect, test } from "vitest"
import { allCases, type Case } from "./cases.js"
import { ServerProcess, type Usage } from "./server.js"

// Three promises to those who share a public server with a stranger, held against every method and route: whatever is asked, it is paid for,
// it takes little memory, and others are served meanwhile. A new method is among the cases by being listed.

const isSoak = process.env.SERAC_SOAK !== undefined

/** Milliseconds of CPU that a case may take besides: compiling, collecting garbage of others, the questions of this test. */
const SLACK = 15

/** Milliseconds of CPU for one stretch of work without a pause. */
const STRETCH = 50

/** Tries for figures that a busy machine may spoil; a real fault spoils all of them. */
const TRIES = 4

interface Measured {
  readonly name: string
  readonly cpu: number
  readonly units: number
  readonly longest: number
  readonly rss: number
}

async function measured(server: ServerProcess, { name, ...rest }: Case): Promise<Measured> {
  const before: Usage = await server.usage()
  await server.send({ name, ...rest })
  const after = await server.usage()
  return { name, cpu: after.cpu - before.cpu, units: after.units - before.units, longest: after.longest, rss: after.rss }
}

const isFair = ({ cpu, units, longest }: Measured): boolean => units + SLACK >= cpu && longest <= STRETCH

/** The best of several tries, as soon as one is fair. */
async function fairly(server: ServerProcess, each: Case): Promise<Measured> {
  let last = await measured(server, each)
  for (let i = 1; i < TRIES && !isFair(last); i++) last = await measured(server, each)
  return last
}

const quantile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] as number

test("whatever a stranger asks is paid for, takes little memory, and keeps nobody waiting", async () => {
  using server = await ServerProcess.start(isSoak ? 1 : 0.03)
  const slowness = [await server.slowness()]
  const start = await server.usage()
  const probe = server.probe()
  const results: Measured[] = []
  for (const each of allCases(server.known, isSoak ? 1 << 20 : 1 << 17)) results.push(await fairly(server, each))
  const times = await probe.stop()
  const end = await server.usage()
  slowness.push(await server.slowness())

  expect(results.filter((result) => !isFair(result))).toEqual([])
  expect(end.units - start.units).toBeGreaterThan(end.cpu - start.cpu)
  expect(Math.max(...results.map(({ rss }) => rss)) - start.rss).toBeLessThan(256 << 20)
  expect(quantile(times, 0.99)).toBeLessThan(100 * Math.max(...slowness))
}, 300_000)
