import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { flagWithDefault, optionalFlag, parseCommandLine, resolveFlags, variableOf } from "./flags.js"
import { amount, integerFlag, network, oneOfWords, onOff, path, text, timeFlag } from "./flagTypes.js"
import { l1Flags } from "./l1Flags.js"

const flags = {
  "network-id": flagWithDefault(network, "", 12345, "local"),
  "http-port": flagWithDefault(integerFlag(0, 65535), "", 9650),
  "genesis-file": optionalFlag(path("FILE"), ""),
  json: flagWithDefault(onOff, "", false),
}

const given = (line: string[], env: Record<string, string> = {}, configuration = {}) =>
  resolveFlags(flags, parseCommandLine(line, flags), env, configuration)

test("the value of a flag follows a space or an equals sign, and a switch has none", () => {
  expect(given(["--network-id", "fuji", "a", "--http-port=0", "--json", "b"])).toEqual({
    flags: { "network-id": 5, "http-port": 0, "genesis-file": undefined, json: true },
    set: new Map([
      ["network-id", "command line"],
      ["http-port", "command line"],
      ["json", "command line"],
    ]),
    args: ["a", "b"],
  })
  expect(given(["--json=false"]).flags.json).toBe(false)
  expect(given(["--network-id=1", "--network-id=5"]).flags["network-id"]).toBe(5)
})

test("of a flag that is given several times the last value counts, unless its values can be joined", () => {
  const { flags: found } = parseCommandLine(["--l1", "a=vm", "--l1=b=vm,file", "--plugin-dir", "x", "--plugin-dir", "y"], l1Flags)
  expect([...found]).toEqual([
    ["l1", "a=vm;b=vm,file"],
    ["plugin-dir", "y"],
  ])
})

test("an L1 has the settings and the genesis file that follow its VM, in any order", () => {
  const read = (text: string) => l1Flags.l1.type.read(text, {})
  const choice = { name: "a", vm: "vm", genesisFile: undefined, evmChainID: undefined, managerAddress: undefined }
  expect(read("a=vm")).toEqual([choice])
  expect(read("a=vm,some,file.json")).toEqual([{ ...choice, genesisFile: "some,file.json" }])
  expect(read("a=vm,manager=0xaa; b=vm,file,evm-chain-id=7")).toEqual([
    { ...choice, managerAddress: "0xaa" },
    { ...choice, name: "b", genesisFile: "file", evmChainID: 7n },
  ])
  for (const wrong of ["a", "a=", "a=b=c", "a=vm,evm-chain-id=0x7", "a=vm;"]) expect(read(wrong)).toBeUndefined()
})

test("a dash alone is an argument, and two dashes end the flags", () => {
  expect(given(["-", "--json", "--", "--network-id", "-x"]).args).toEqual(["-", "--network-id", "-x"])
})

test("the command line wins over the environment, that over the configuration, that over the default", () => {
  const env = { SERAC_NETWORK_ID: "mainnet", SERAC_HTTP_PORT: "1", SERAC_JSON: "", OTHER: "x" }
  const configuration = { "network-id": "local", "http-port": 2, json: true, unknown: { anything: 1 } }
  const { flags: values, set } = given(["--network-id", "fuji"], env, configuration)
  expect(values).toEqual({ "network-id": 5, "http-port": 1, "genesis-file": undefined, json: true })
  expect([...set]).toEqual([
    ["network-id", "command line"],
    ["http-port", "environment"],
    ["json", "configuration"],
  ])
})

test("a flag's variable is its name in capitals", () => {
  expect(variableOf("http-allowed-hosts")).toBe("SERAC_HTTP_ALLOWED_HOSTS")
})

test("an unknown flag is refused with the one that was meant", () => {
  const line = (...words: string[]) => refusal(() => given(words))
  expect(line("--network-di", "fuji")).toEqual({
    code: "cli.unknown_flag",
    data: { flag: "--network-di", didYouMean: "--network-id" },
  })
  expect(line("--network=fuji")).toEqual({ code: "cli.unknown_flag", data: { flag: "--network", didYouMean: "--network-id" } })
  expect(line("-json")).toEqual({ code: "cli.unknown_flag", data: { flag: "-json", didYouMean: "--json" } })
  expect(line("--snow-sample-size", "20")).toEqual({ code: "cli.unknown_flag", data: { flag: "--snow-sample-size" } })
  expect(line("--toString")).toEqual({ code: "cli.unknown_flag", data: { flag: "--toString" } })
})

test("a flag without value, or with a wrong one, is refused with its name and its source", () => {
  const expected = "an integer from 0 to 65535"
  expect(refusal(() => given(["--http-port"]))).toEqual({
    code: "cli.flag_without_value",
    data: { flag: "--http-port", expected },
  })
  expect(refusal(() => given(["--http-port", "70000"]))).toEqual({
    code: "cli.flag_value",
    data: { flag: "--http-port", value: "70000", expected },
  })
  expect(refusal(() => given([], { SERAC_HTTP_PORT: "x" }))).toMatchObject({ data: { flag: "SERAC_HTTP_PORT" } })
  expect(refusal(() => given([], {}, { "http-port": [1] }))).toMatchObject({ data: { flag: "http-port", value: [1] } })
})

test("values of flags are read by their type", () => {
  expect(timeFlag.read("2024-07-15T04:00:00Z", {})).toBe(1_721_016_000n)
  expect(timeFlag.read("1721016000", {})).toBe(1_721_016_000n)
  expect(timeFlag.read(1_721_016_000, {})).toBe(1_721_016_000n)
  expect(["", "yesterday", "-1", "1e3", "1969-12-31T23:59:59Z", -5, true].map((each) => timeFlag.read(each, {}))).toEqual(
    Array(7).fill(undefined),
  )
  expect(path("FILE").read(["$HOME/x/$", "{NAME}.json"].join(""), { HOME: "/h", NAME: "n" })).toBe("/h/x/n.json")
  expect(path("FILE").read("", {})).toBeUndefined()
  expect(network.read("Network-9999", {})).toBe(9999)
  expect(network.read(424242, {})).toBe(424242)
  expect(network.read("4294967296", {})).toBeUndefined()
  expect(onOff.read("yes", {})).toBeUndefined()
  expect(oneOfWords("a", "b").read("c", {})).toBeUndefined()
  expect(integerFlag(0, 9).read("1.5", {})).toBeUndefined()
  expect(text.read(5, {})).toBe("5")
})

test("an amount has its unit, as in every command; a number of a configuration is in nAVAX", () => {
  expect(["5avax", "1.5 AVAX", "100navax", 7].map((given) => amount.read(given, {}))).toEqual([
    5_000_000_000n,
    1_500_000_000n,
    100n,
    7n,
  ])
  for (const given of ["5", "avax", "-1avax", -1, true]) expect(amount.read(given, {})).toBeUndefined()
})
