import { expect, test } from "vitest"
import { defaultNetworkSettings } from "../../sources/joined/networkSettings.js"
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
  for (const name of Object.keys(peerFlags)) other[name] = otherValueOf(name)
  const changed = settings(...Object.entries(other).map(([name, value]) => `--${name}=${value}`))
  const before = valuesIn(settings())
  expect(valuesIn(changed).filter((each, i) => JSON.stringify(each) === JSON.stringify(before[i]))).toEqual([])
  expect(before.length).toBe(Object.keys(peerFlags).length)
})

/** A value of a flag that is not its default. */
function otherValueOf(name: string): string {
  const { type } = peerFlags[name as keyof typeof peerFlags]
  if (name.endsWith("unsafe")) return "secrets.log"
  if (name.startsWith("acp")) return "77,78"
  if (type.value === "DURATION") return "1250ms"
  if (type.value === "X") return name.endsWith("coefficient") || name.endsWith("sec") ? "1.25" : ".75"
  if (type.value === "N") return name.includes("bytes") || name.includes("size") ? "3000000" : "77"
  return name.includes("compression") ? "none" : "true"
}

/** The single values of settings; a list is one. */
function valuesIn(settings: object): unknown[] {
  return Object.values(settings).flatMap((each) =>
    typeof each === "object" && !Array.isArray(each) ? valuesIn(each as object) : [each],
  )
}

test("proposals are listed with commas, and none is below zero", () => {
  expect(settings("--acp-support=224,247").acps).toEqual({ supported: [224, 247], objected: [] })
  expect(() => settings("--acp-object=-1")).toThrow(expect.objectContaining({ code: "cli.flag_value" }))
})
