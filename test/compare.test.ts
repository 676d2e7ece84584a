import { expect, test } from "vitest"
import { COMPARE_HELP, readCompareOptions } from "../bench/compare/compareOptions.js"
import { comparedQuestion, medianOf } from "../bench/compare/report.js"

const read = (...args: string[]) => readCompareOptions(args)

test("the flags of a comparison have defaults for all but the program", () => {
  expect(read("--avalanchego", "/go/node")).toEqual({
    avalanchego: "/go/node",
    seconds: 9,
    connections: 16,
    validators: 1500,
    utxos: 100_000,
    methods: undefined,
    json: undefined,
    serac: [],
  })
  expect(read("--avalanchego=x", "--seconds=2", "--methods=info,getTx", "--serac=--history=off", "--json=f")).toMatchObject({
    seconds: 2,
    methods: ["info", "getTx"],
    serac: ["--history=off"],
    json: "f",
  })
})

test("help is printed only on request", () => {
  expect([read("--help"), read("-h"), read("--avalanchego", "x", "--help")]).toEqual(["help", "help", "help"])
  for (const flag of COMPARE_HELP.match(/--[a-z-]+(?= |$)/gm) ?? [])
    expect(read(flag, "1")).not.toEqual({ fault: expect.stringMatching(/Unknown/) })
})

test.each([
  [[], "--avalanchego PATH is missing"],
  [["--avalanchego", "x", "--seconds", "0"], "--seconds is a whole number from 1 on, not 0"],
  [["--avalanchego", "x", "--utxos", "many"], "--utxos is a whole number from 1 on, not many"],
])("%j is refused with a sentence", (args, fault) => {
  expect(read(...args)).toEqual({ fault })
})

test("a flag that does not exist is named", () => {
  expect(read("--halp")).toEqual({ fault: expect.stringContaining("--halp") })
})

const turn = (requests: number, perCpuSecond: number, p50: number, bytes: number) => {
  return { requests, perSecond: requests, p50, p99: p50 * 2, errors: 1, perCpuSecond, bytes }
}

test("only turns next to each other are compared", () => {
  const at = (speed: number, own: number) => ({
    serac: turn(own * speed, 2 * own * speed, 1, 1),
    avalanchego: turn(100 * speed, 50 * speed, 1, 1),
    echo: turn(1, 300 * speed, 1, 1),
  })
  // The machine is three times as fast in the second turn, and half as fast in the third.
  const { ratios } = comparedQuestion("method", [at(1, 120), at(3, 130), at(0.5, 150)])
  expect(ratios).toEqual({ perSecond: 1.3, perCpuSecond: 5.2, ofEcho: 260 / 300 })
  expect(comparedQuestion("method", [at(1, 120), at(3, 130)]).ratios.perSecond).toBe(1.25)
})

test("each figure of a node is the median of its turns", () => {
  expect(medianOf([turn(100, 100, 3, 10), turn(150, 50, 9, 30), turn(200, 300, 4, 20)])).toEqual({
    requests: 450,
    perSecond: 150,
    p50: 4,
    p99: 8,
    errors: 3,
    perCpuSecond: 100,
    bytes: 20,
  })
})
