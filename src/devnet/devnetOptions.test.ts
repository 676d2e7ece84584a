import { expect, test } from "vitest"
import { startDevnet } from "./devnet.js"
import { checkDevnetOptions } from "./devnetOptions.js"

const refused: readonly [string, object, string, string][] = [
  [
    "a state that is no bytes",
    { loadState: "chain.state" },
    "node.bad_option",
    'the value of this option of `startDevnet` does not have the required form (option: loadState, expected: the bytes of a state file, got: "chain.state")',
  ],
  [
    "a misspelt option",
    { acounts: 3 },
    "node.unknown_option",
    "`startDevnet` has no option of this name (option: acounts, didYouMean: accounts)",
  ],
  [
    "a misspelt flag",
    { flags: { "min-stake-duratoin": "5s" } },
    "node.unknown_flag",
    "no flag of this name sets a rule (flag: min-stake-duratoin, didYouMean: min-stake-duration)",
  ],
  [
    "a negative number of accounts",
    { accounts: -1 },
    "node.bad_option",
    "the value of this option of `startDevnet` does not have the required form (option: accounts, expected: a whole number from 0 to 1000, got: -1)",
  ],
  [
    "a text in place of a number",
    { accounts: "3" },
    "node.bad_option",
    'the value of this option of `startDevnet` does not have the required form (option: accounts, expected: a whole number from 0 to 1000, got: "3")',
  ],
  [
    "a date in place of seconds",
    { startTime: new Date(0) },
    "node.bad_option",
    "the value of this option of `startDevnet` does not have the required form (option: startTime, expected: Unix seconds as a bigint or a whole number, at least 0, got: a Date, 1970-01-01T00:00:00.000Z)",
  ],
  [
    "a fraction of a nAVAX",
    { balance: 1.5 },
    "node.bad_option",
    "the value of this option of `startDevnet` does not have the required form (option: balance, expected: nAVAX as a bigint or a whole number, at least 0, got: 1.5)",
  ],
  [
    "a mempool without room",
    { mempoolMaxGas: 0 },
    "node.bad_option",
    "the value of this option of `startDevnet` does not have the required form (option: mempoolMaxGas, expected: gas as a bigint or a whole number, at least 1, got: 0)",
  ],
  [
    "an unknown block mode",
    { blockMode: "often" },
    "node.bad_option",
    'the value of this option of `startDevnet` does not have the required form (option: blockMode, expected: "auto", "manual", or { mode: "interval", seconds }, got: "often")',
  ],
  [
    "an interval without seconds",
    { blockMode: { mode: "interval" } },
    "node.bad_option",
    'the value of this option of `startDevnet` does not have the required form (option: blockMode, expected: "auto", "manual", or { mode: "interval", seconds }, got: {"mode":"interval"})',
  ],
  [
    "a port that does not exist",
    { port: 70_000 },
    "node.bad_option",
    "the value of this option of `startDevnet` does not have the required form (option: port, expected: a port from 0 to 65535, or false for none, got: 70000)",
  ],
  [
    "flags in a list",
    { flags: ["min-stake-duration"] },
    "node.bad_option",
    'the value of this option of `startDevnet` does not have the required form (option: flags, expected: an object of flags by their names, got: ["min-stake-duration"])',
  ],
]

test.each(refused)("startDevnet refuses %s and names it", async (_, options, code, message) => {
  await expect(startDevnet({ port: false, ...options } as never)).rejects.toMatchObject({ code, message })
})

test.each([null, [], 5, "local"])("startDevnet refuses %j in place of an object with options", async (options) => {
  await expect(startDevnet(options as never)).rejects.toMatchObject({ code: "node.bad_options" })
})

test("startDevnet names the upgrade that does not exist, and the flag whose value cannot be read", async () => {
  await expect(startDevnet({ upgrade: "shanghai" })).rejects.toMatchObject({
    code: "network.unknown_upgrade",
    message: expect.stringContaining("text: shanghai"),
  })
  await expect(startDevnet({ flags: { "min-stake-duration": "5 parsecs" } })).rejects.toMatchObject({
    message: expect.stringContaining("min-stake-duration"),
  })
})

test("amounts and times may be numbers, and the block mode a word, as on the command line", () => {
  const options = { balance: 5, startTime: 1_900_000_000, blockMode: "manual", mnemonic: undefined } as const
  expect(checkDevnetOptions(options as never)).toEqual({ balance: 5n, startTime: 1_900_000_000n, blockMode: { mode: "manual" } })
})
