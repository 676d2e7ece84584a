import { expect, test } from "vitest"
import { COMPARE_HELP, readCompareOptions } from "../bench/compare/compareOptions.js"

const read = (...args: string[]) => readCompareOptions(args)

test("the flags of a comparison have defaults for all but the program", () => {
  expect(read("--avalanchego", "/go/node")).toEqual({
    avalanchego: "/go/node",
    seconds: 5,
    connections: 16,
    validators: 1500,
    utxos: 100_000,
    methods: undefined,
    json: undefined,
    serac: [],
    writesPage: true,
  })
  expect(
    read("--avalanchego=x", "--seconds=2", "--methods=info,getTx", "--serac=--api-workers=3", "--no-page", "--json=f"),
  ).toMatchObject({ seconds: 2, methods: ["info", "getTx"], serac: ["--api-workers=3"], writesPage: false, json: "f" })
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
