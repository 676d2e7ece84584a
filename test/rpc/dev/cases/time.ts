import { expect } from "vitest"
import { printRfc3339 } from "../../../../src/core/lib/go/rfc3339.js"
import type { Json } from "../../../../src/core/lib/json.js"
import { after, both, type Call, type Case, missing, refusalText, refused, type Table } from "../../methods/table.js"
import { DAY, type DevFixture, jsonNumber, START } from "../fixture.js"
import { NO_VMS } from "./l1.js"

const NONE = { blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 }

/** The answer to a move of the clock: the seconds from the start to the clock, and to the last block. */
const travelled = (clock: number, chainTime: number, height: number, rest: object = {}) => ({
  clock: printRfc3339(START + BigInt(clock)),
  chainTime: printRfc3339(START + BigInt(chainTime)),
  height: String(height),
  ...NONE,
  ...rest,
})

/** A call that changes the chain, on a chain without earlier changes. */
const first = (each: Case): Case => after([], each)

const LATEST = 253_402_300_799n
const TOO_FAR = "the time is after the year 9999, in which the clock ends"
const TOO_LONG =
  "the clock would move by more than 100 years, which takes long: times are in seconds, not milliseconds; `force` allows it, on the command line --force"
const PAST = "the time is in the past: the clock can only move forward"

/** Cases of the clock and of the block mode. */
export function timeCases(facts: DevFixture): Table {
  return { ...statusCases(facts), ...clockCases(), ...blockCases(facts) }
}

function statusCases({ payments, five }: DevFixture): Table {
  // The known snapshots depend on earlier calls; stories.test.ts compares them.
  const snapshots = expect.any(Array)
  const status = {
    ...{ clock: printRfc3339(START), offset: "0", frozen: true, chainTime: printRfc3339(START), height: "1" },
    ...{ blockMode: { mode: "auto" }, snapshots, overrides: 0, mempool: 0 },
  }
  return {
    "dev.status": {
      takes: {},
      normal: [
        both(undefined, status),
        after(
          [
            ["dev.setBlockMode", { mode: "interval", seconds: 0.5 }],
            ["dev.setUptime", { nodeID: five[0]!, percent: 5 }],
            ["platform.issueTx", { tx: payments[0]!.hex }],
            ["dev.setTime", { to: Number(START) + 5, frozen: false }],
          ],
          both(
            {},
            {
              ...status,
              ...{ clock: printRfc3339(START + 5n), offset: "5", frozen: false, snapshots },
              ...{ blockMode: { mode: "interval", seconds: 0.5 }, overrides: 1, mempool: 1 },
            },
          ),
        ),
      ],
    },
  }
}

function clockCases(): Table {
  const past = (params: Json, to: number, earliest = START) =>
    refused(params, "producer.time_in_the_past", { to, earliest: Number(earliest) }, PAST)
  const tooFar = (params: Json, to: bigint) =>
    refused(params, "producer.time_too_far", { to: jsonNumber(to), latest: Number(LATEST) }, TOO_FAR)
  const tooLong = (params: Json, seconds: bigint) =>
    refused(params, "producer.time_span_too_long", { seconds: jsonNumber(seconds), limit: 3_155_760_000 }, TOO_LONG)
  const either = (params: Json) =>
    refused(params, "dev.seconds_or_to", {}, "give either `seconds` or `to`: how far the clock moves, or until when")
  const validator: Call = ["dev.addValidators", { count: 1, delegators: 1, duration: DAY }]
  const year = 366 * DAY
  return {
    "dev.advanceTime": {
      takes: { seconds: "u64", to: "time", settle: "bool", l1Blocks: "bool", force: "bool" },
      normal: [
        first(both({ seconds: 3600 }, travelled(3600, 0, 1))),
        first(both({ seconds: "0" }, travelled(0, 0, 1))),
        first(both({ to: String(START + 10n) }, travelled(10, 0, 1))),
        first(both({ to: Number(START) }, travelled(0, 0, 1))),
        first(both({ to: "2030-03-17T17:47:10.9Z" }, travelled(30, 0, 1))),
        first(both({ to: "2030-03-17T18:47:10+01:00" }, travelled(30, 0, 1))),
        // The year of the five ends at different times, and each stakes again.
        first(both({ seconds: year }, { ...travelled(year, 0, 16, { blocks: 15, rewarded: 5 }), chainTime: expect.any(String) })),
      ],
      "all parameters": [
        first(both({ seconds: 20, settle: true }, travelled(20, 20, 2, { blocks: 1 }))),
        first(both({ to: Number(START) + 20, settle: true }, travelled(20, 20, 2, { blocks: 1 }))),
        first(both({ seconds: 20, settle: true, l1Blocks: false, force: true }, travelled(20, 20, 2, { blocks: 1 }))),
        // Nothing to settle: the chain's time is there.
        first(both({ seconds: 0, settle: true }, travelled(0, 0, 1))),
        after([validator], both({ seconds: DAY }, travelled(DAY, DAY, 6, { blocks: 4, rewarded: 2 }))),
        after([validator], both({ seconds: DAY, settle: true }, travelled(DAY, DAY, 6, { blocks: 4, rewarded: 2 }))),
      ],
      "omitted parameters": [either({}), { ...either({}), params: { settle: true } }],
      errors: [
        either({ seconds: 1, to: Number(START) }),
        past({ to: Number(START) - 1 }, Number(START) - 1),
        past({ to: "2020-01-01T00:00:00Z" }, 1_577_836_800),
        past({ to: 0 }, 0),
        after([["dev.advanceTime", { seconds: 10 }]], past({ to: Number(START) + 9 }, Number(START) + 9, START + 10n)),
        tooFar({ seconds: 300_000_000_000 }, START + 300_000_000_000n),
        tooFar({ seconds: 2n ** 64n - 1n }, START + 2n ** 64n - 1n),
        tooFar({ to: 2n ** 64n - 1n }, 2n ** 64n - 1n),
        tooFar({ to: LATEST + 1n }, LATEST + 1n),
        tooLong({ seconds: 99_999_999_999 }, 99_999_999_999n),
        tooLong({ to: LATEST }, LATEST - START),
      ],
    },
    "dev.setTime": {
      takes: { to: "time", frozen: "bool", l1Blocks: "bool", force: "bool" },
      normal: [first(both({ to: Number(START) + 5 }, travelled(5, 0, 1)))],
      "all parameters": [
        first(both({ to: Number(START) + 5, frozen: false, l1Blocks: true, force: true }, travelled(5, 0, 1))),
        first(both({ to: "2030-03-17T17:46:45Z", frozen: true }, travelled(5, 0, 1))),
        after([validator], both({ to: Number(START) + DAY, frozen: true }, travelled(DAY, DAY, 6, { blocks: 4, rewarded: 2 }))),
      ],
      "omitted parameters": [missing("to", refusalText(PAST)), missing("to", refusalText(PAST), { frozen: true })],
      errors: [
        past({ to: 5 }, 5),
        tooFar({ to: LATEST + 1n, frozen: true }, LATEST + 1n),
        tooLong({ to: LATEST, frozen: true }, LATEST - START),
      ],
    },
  }
}

function blockCases({ payments }: DevFixture): Table {
  const manual: Call = ["dev.setBlockMode", { mode: "manual" }]
  const issues: readonly Call[] = [manual, ...payments.slice(0, 2).map(({ hex }): Call => ["platform.issueTx", { tx: hex }])]
  const badCount = (blocks: number) =>
    refused(
      { blocks },
      "dev.bad_count",
      { param: "blocks", value: blocks, least: 1, most: 100_000 },
      "the number is out of bounds",
    )
  const badInterval = (seconds: number) =>
    refused(
      { mode: "interval", seconds },
      "producer.bad_interval",
      { seconds },
      "the interval is not a number of seconds above 0 and at most one day",
    )
  return {
    "dev.mine": {
      takes: { blocks: "u32", filler: "bool", l1: "string" },
      normal: [
        first(both(undefined, { height: "1", blocks: 0 })),
        after(issues, both({}, { height: "2", blocks: 1 })),
        after(issues, both({ blocks: 5 }, { height: "2", blocks: 1 })),
      ],
      "all parameters": [
        first(both({ blocks: 3, filler: true }, { height: "4", blocks: 3 })),
        first(both({ blocks: "3", filler: false }, { height: "1", blocks: 0 })),
        after(issues, both({ blocks: 3, filler: true }, { height: "4", blocks: 3 })),
      ],
      "omitted parameters": [
        first(both({}, { height: "1", blocks: 0 })),
        first(both({ filler: true }, { height: "2", blocks: 1 })),
      ],
      errors: [badCount(0), badCount(100_001), refused({ l1: "mine" }, "dev.no_vms", {}, NO_VMS)],
    },
    "dev.setBlockMode": {
      takes: { mode: "blockMode", seconds: "number" },
      normal: ["manual", "auto", "interval"].map((mode) => first(both({ mode }, {}))),
      "all parameters": [
        ...[0.001, 1, 86_400].map((seconds) => first(both({ mode: "interval", seconds }, {}))),
        first(both({ mode: "auto", seconds: 5 }, {})),
      ],
      "omitted parameters": [missing("mode", { result: {} }), missing("mode", { result: {} }, { seconds: 2 })],
      errors: [badInterval(0), badInterval(-1), badInterval(86_401)],
    },
  }
}
