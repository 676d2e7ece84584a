import { expect, test } from "vitest"
import { defaultNetworkSettings } from "../node/networkSettings.js"
import { parseCommandLine, resolveFlags } from "./flags.js"
import { networkSettingsOf, peerFlags } from "./peerFlags.js"

const settings = (...words: string[]) =>
  networkSettingsOf(resolveFlags(peerFlags, parseCommandLine(words, peerFlags), {}, {}).flags)

test("without flags the numbers are AvalancheGo's defaults", () => {
  expect(settings()).toEqual(defaultNetworkSettings)
})

test("each flag sets one number", () => {
  const { peers, timeouts } = defaultNetworkSettings
  expect(
    settings("--network-ping-frequency=10s", "--network-timeout-coefficient=1.5", "--network-compression-type=none"),
  ).toEqual({
    ...defaultNetworkSettings,
    peers: { ...peers, pingIntervalMs: 10_000 },
    timeouts: { ...timeouts, coefficient: 1.5 },
    compresses: false,
  })
  const other: Record<string, string> = {}
  for (const name of Object.keys(peerFlags)) {
    const value = name.includes("type") ? "none" : name.includes("validator-to") ? "true" : "1.25"
    other[name] = /(rps|ips|peers|max-processing)$/.test(name) ? "77" : /(rate|probability)$/.test(name) ? ".75" : value
    if (other[name] === "1.25" && !name.endsWith("coefficient")) other[name] = "1250ms"
  }
  const changed = settings(...Object.entries(other).map(([name, value]) => `--${name}=${value}`))
  const numbers = (value: object): unknown[] =>
    Object.values(value).flatMap((each) => (typeof each === "object" ? numbers(each) : [each]))
  const before = numbers(defaultNetworkSettings)
  expect(numbers(changed).filter((each, i) => each === before[i])).toEqual([])
})
