import { expect, test } from "vitest"
import { recordingText } from "../../../test/recordings/recordings.js"
import { printJson } from "../lib/json.js"
import { parseJson } from "../lib/parseJson.js"
import { upgradesFor } from "./index.js"
import { parseUpgradeFile, upgradesJson } from "./upgradeFile.js"
import { upTo, YEAR_1 } from "./upgrades.js"

test("Mainnet's schedule prints as info.upgrades answers", () => {
  expect(printJson(upgradesJson(upgradesFor(1)), 1)).toBe(`{
 "apricotPhase1Time": "2021-03-31T14:00:00Z",
 "apricotPhase2Time": "2021-05-10T11:00:00Z",
 "apricotPhase3Time": "2021-08-24T14:00:00Z",
 "apricotPhase4Time": "2021-09-22T21:00:00Z",
 "apricotPhase4MinPChainHeight": 793005,
 "apricotPhase5Time": "2021-12-02T18:00:00Z",
 "apricotPhasePre6Time": "2022-09-05T01:30:00Z",
 "apricotPhase6Time": "2022-09-06T20:00:00Z",
 "apricotPhasePost6Time": "2022-09-07T03:00:00Z",
 "banffTime": "2022-10-18T16:00:00Z",
 "cortinaTime": "2023-04-25T15:00:00Z",
 "cortinaXChainStopVertexID": "jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga",
 "durangoTime": "2024-03-06T16:00:00Z",
 "etnaTime": "2024-12-16T17:00:00Z",
 "fortunaTime": "2025-04-08T15:00:00Z",
 "graniteTime": "2025-11-19T16:00:00Z",
 "graniteEpochDuration": 300000000000,
 "heliconTime": "2026-09-22T15:00:00Z"
}`)
})

test("a printed schedule reads back as it was", () => {
  for (const upgrades of [upgradesFor(1), upgradesFor(5), upgradesFor(9999), upTo("banff")]) {
    expect(parseUpgradeFile(printJson(upgradesJson(upgrades)))).toEqual(upgrades)
  }
})

test("a missing field is zero: a time is year 1 and active from the beginning", () => {
  for (const text of ["{}", "null", '{"etnaTime": null, "more": {"etnaTime": "2030-01-01T00:00:00Z"}}']) {
    const upgrades = parseUpgradeFile(text)
    expect([...new Set(Object.values(upgrades.times))]).toEqual([YEAR_1])
    expect([upgrades.apricotPhase4MinPChainHeight, upgrades.graniteEpochDuration]).toEqual([0n, 0n])
    expect(upgradesJson(upgrades)).toMatchObject({
      apricotPhase1Time: "0001-01-01T00:00:00Z",
      cortinaXChainStopVertexID: "11111111111111111111111111111111LpoYY",
    })
  }
})

test("keys match in any case, and the last of a doubled one counts", () => {
  const upgrades = parseUpgradeFile(
    '{"HELICONTIME": "2030-01-01T00:00:00Z", "heliconTime": "2031-01-01T01:00:00+01:00", "GraniteEpochDuration": 1, "x": [1.5]}',
  )
  expect([upgrades.times.helicon, upgrades.times.granite, upgrades.graniteEpochDuration]).toEqual([1_924_992_000n, YEAR_1, 1n])
})

test("a fraction of a second is reached by the next whole one, and is kept", () => {
  const upgrades = parseUpgradeFile('{"graniteTime": "2029-12-31T23:59:59Z", "heliconTime": "2030-01-01T00:00:00.20Z"}')
  expect([upgrades.times.helicon, upgrades.roundedUpBy]).toEqual([1_893_456_001n, { helicon: 800_000_000n }])
  expect(upgradesJson(upgrades).heliconTime).toBe("2030-01-01T00:00:00.2Z")
  expect(parseUpgradeFile(printJson(upgradesJson(upgrades)))).toEqual(upgrades)
})

test("a field that cannot be read is named", () => {
  const wrong: readonly [text: string, field: string][] = [
    ['{"heliconTime": "yesterday"}', "heliconTime"],
    ['{"heliconTime": 1893456000}', "heliconTime"],
    ['{"apricotPhase4MinPChainHeight": "5"}', "apricotPhase4MinPChainHeight"],
    ['{"apricotPhase4MinPChainHeight": 1.0}', "apricotPhase4MinPChainHeight"],
    ['{"apricotPhase4MinPChainHeight": -1}', "apricotPhase4MinPChainHeight"],
    ['{"apricotPhase4MinPChainHeight": 18446744073709551616}', "apricotPhase4MinPChainHeight"],
    ['{"graniteEpochDuration": "30s"}', "graniteEpochDuration"],
    ['{"graniteEpochDuration": 9223372036854775808}', "graniteEpochDuration"],
    ['{"cortinaXChainStopVertexID": "11111111111111111111111111111111LpoYZ"}', "cortinaXChainStopVertexID"],
    ['{"cortinaXChainStopVertexID": 1}', "cortinaXChainStopVertexID"],
  ]
  for (const [text, field] of wrong) {
    expect(() => parseUpgradeFile(text), text).toThrow(
      expect.objectContaining({
        code: "network.upgrade_file_field",
        data: expect.objectContaining({ field, reason: expect.any(String) }),
      }),
    )
  }
})

test("times that decrease are refused, a forgotten later one too", () => {
  expect(() => parseUpgradeFile('{"graniteTime": "2025-11-19T16:00:00Z"}')).toThrow(
    expect.objectContaining({
      code: "network.upgrade_times_decrease",
      avalanchegoMessage: "invalid upgrade configuration",
      data: {
        field: "heliconTime",
        time: "0001-01-01T00:00:00Z",
        previousField: "graniteTime",
        previousTime: "2025-11-19T16:00:00Z",
        reason: "earlier than the upgrade before it",
      },
    }),
  )
})

test("a file that is no JSON object is refused", () => {
  for (const text of ["", "[]", "5", '"x"', "{", "{} {}", '["object", ["heliconTime", "2030-01-01T00:00:00Z"]]']) {
    expect(() => parseUpgradeFile(text), text).toThrow(expect.objectContaining({ code: "network.upgrade_file_malformed" }))
  }
})

test("the schedule of the recorded history reads and prints whole", () => {
  const text = recordingText("golden/history-v1.14.2/upgrades.json")
  expect(printJson(upgradesJson(parseUpgradeFile(text)))).toBe(printJson(parseJson(text)))
})
