import { blockTypes } from "../../../src/core/blocks/kinds.js"
import type { Json } from "../../../src/core/lib/json.js"
import { l1EventKinds } from "../../../src/core/readmodel/explorer/l1History.js"
import { stakingKinds } from "../../../src/core/readmodel/explorer/stakeQueries.js"
import { txTypes } from "../../../src/core/txs/index.js"
import { type Case, refused } from "./table.js"

const CANNOT_UNMARSHAL =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"

/** The fault of a value: its path, the expected type, and the reason. */
type WrongValue = readonly [value: Json, expected: string, reason?: string | undefined, inside?: string]

const ID = "an ID in cb58"
const NODE_ID = "a node ID, NodeID- and cb58"
const ENCODING = "one of hex, hexc, hexnc, json"
const SHORT_ID = "6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV"

const ids = (value: string, reason: string): WrongValue => [value, ID, reason]
const integers = (maximum: bigint): readonly WrongValue[] => {
  const expected = `an integer from 0 to ${maximum}`
  const values: readonly Json[] = [-1, "-1", 1.5, "1.5", "0x1", " 1", "", true, [1], maximum + 1n, `${maximum + 1n}`]
  return values.map((value) => [value, expected])
}
const heights: readonly WrongValue[] = [-1, 1.5, "", "latest", "Proposed", true, 2n ** 64n - 1n, `${2n ** 64n - 1n}`].map(
  (value) => [value, `a height from 0 to ${2n ** 64n - 2n}, or "proposed"`],
)
const noTimes: readonly Json[] = [
  ...["tomorrow", "", "-1", -1, 1.5, "1.5", "1969-12-31T23:59:59Z", "2030-02-30T00:00:00Z", "2030-02-30", "2030-1-1", true, [1]],
  2n ** 64n,
]
const texts: readonly WrongValue[] = [5, true, ["x"], {}].map((value) => [value, "a text"])

const wrongID: readonly WrongValue[] = [
  ids("abc", "the text is too short to hold its checksum"),
  ids(SHORT_ID, "the text encodes the wrong number of bytes"),
  ids("11111111111111111111111111111111LpoYZ", "the checksum does not match"),
  ids("0OIl", "the text is not base58"),
  [5, ID],
  [["11111111111111111111111111111111LpoYY"], ID],
]

/** Every kind of parameter, with values that it refuses. */
const wrong = {
  ID: wrongID,
  /** An ID in a parameter that AvalancheGo does not have and ignores. */
  contractID: wrongID,
  NodeID: [
    ["NodeID-nope", NODE_ID, "the text is too short to hold its checksum"],
    ["7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", NODE_ID, "the node ID does not start with NodeID-"],
    ["", NODE_ID, "the node ID does not start with NodeID-"],
    [5, NODE_ID],
  ],
  NodeIDs: [
    ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "a list"],
    [["NodeID-nope"], NODE_ID, "the text is too short to hold its checksum", ".0"],
    [["7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"], NODE_ID, "the node ID does not start with NodeID-", ".0"],
    [["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", 5], NODE_ID, undefined, ".1"],
    [[""], NODE_ID, "the node ID does not start with NodeID-", ".0"],
  ],
  IDs: [
    ["11111111111111111111111111111111LpoYY", "a list"],
    [["abc"], ID, "the text is too short to hold its checksum", ".0"],
    [[5], ID, undefined, ".0"],
  ],
  encoding: [
    ["", ENCODING, "the encoding must be hex, hexc, hexnc or json"],
    ["cb58", ENCODING, "the encoding must be hex, hexc, hexnc or json"],
    [5, ENCODING],
  ],
  string: texts,
  strings: [
    ["x", "a list"],
    [{}, "a list"],
    [[5], "a text", undefined, ".0"],
  ],
  kinds: [
    ["BaseTx", "a list"],
    [["baseTx"], `one of ${txTypes.map(({ kind }) => kind).join(", ")}`, undefined, ".0"],
  ],
  bool: ["true", 0, 1].map((value) => [value, "true or false"] as const),
  u16: integers(2n ** 16n - 1n),
  u32: integers(2n ** 32n - 1n),
  u64: integers(2n ** 64n - 1n),
  height: heights,
  rewardKinds: [[["fee"], "one of validation, delegation, delegationFee", undefined, ".0"]],
  stakeKinds: [[["BaseTx"], `one of ${stakingKinds.join(", ")}`, undefined, ".0"]],
  blockKinds: [[["BaseTx"], `one of ${blockTypes.map(({ kind }) => kind).join(", ")}`, undefined, ".0"]],
  l1EventKinds: [[["ran_out"], `one of ${l1EventKinds.join(", ")}`, undefined, ".0"]],
  time: noTimes.map((value) => [value, "Unix seconds, a time in RFC 3339, or a date"] as const),
  bound: noTimes.map(
    (value) => [value, "a height such as 100, a date such as 2027-01-31, a time in RFC 3339, or Unix seconds"] as const,
  ),
  number: ["1", "", true, [1]].map((value) => [value, "a number"] as const),
  blockMode: ["Auto", "never", "", 1].map((value) => [value, "one of auto, interval, manual"] as const),
  startIndex: [
    ["x", "an object"],
    [[], "an object"],
    [{ address: 5 }, "a text", undefined, ".address"],
    [{ utxo: 5 }, "a text", undefined, ".utxo"],
  ],
  autoRenew: [
    ["x", "an object"],
    [[], "an object"],
    [{ period: -1 }, `an integer from 0 to ${2n ** 64n - 1n}`, undefined, ".period"],
    [{ period: 1, compound: "x" }, "a number", undefined, ".compound"],
  ],
  l1Epoch: [
    ["x", "an object"],
    [[], "an object"],
    [{ pChainHeight: -1, startTime: 0 }, `an integer from 0 to ${2n ** 64n - 1n}`, undefined, ".pChainHeight"],
  ],
  /** A file of a VM. */
  vmFile: [5, true, ["x"]].map((value): WrongValue => [value, "an object, a text, or hex with `0x`"]),
} as const satisfies Record<string, readonly WrongValue[]>

/** The type of a parameter as the API defines it. */
export type ParamKind = keyof typeof wrong

/** Makes cases in which one parameter is wrong, in every way that its kind can be, and a case in which all are wrong. */
export function undecodable({ params = {}, avalanchego }: Case, takes: Readonly<Record<string, ParamKind>>): Case[] {
  const refuse = (given: Json, param: string, expected: string, reason?: string) =>
    refused(given, "rpc.bad_param", { param, expected, ...(reason === undefined ? {} : { reason }) }, CANNOT_UNMARSHAL)
  const single = Object.entries(takes).flatMap(([name, kind]) =>
    (wrong[kind] as readonly WrongValue[]).map(([value, expected, reason, inside = ""]) => {
      const given = { ...(params as { [name: string]: Json }), [name]: value }
      const wrongOne = refuse(given, `${name}${inside}`, expected, reason)
      return kind === "contractID" ? { ...wrongOne, avalanchego } : wrongOne
    }),
  )
  return [...single, ...[5, "x", true, ["x"]].map((given) => refuse(given, "params", "an object"))]
}
