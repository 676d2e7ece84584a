import { expect } from "vitest"
import { toHex } from "../../../../src/core/lib/bytes.js"
import { fromHexText } from "../../../../src/core/types/hexText.js"
import { parseNodeID } from "../../../../src/core/types/id.js"
import { bls } from "../../../../src/platform/backends.js"
import { EMPTY, type MethodsFixture, NOWHERE } from "../fixture.js"
import { both, type Case, differ, refused, type Table } from "../table.js"

const NOBODY = "NodeID-111111111111111111116DBWJs"

/** Cases of the methods about validators' weights, in total and at a height. */
export function weightCases(facts: MethodsFixture): Table {
  return { ...totalCases(facts), ...setCases(facts), ...sampleCases(facts) }
}

function totalCases({ id }: MethodsFixture): Table {
  // D4
  const weighs = (subnetID: string, weight: string) => differ({ subnetID }, { weight }, { stake: weight, weight })
  const primary = { stake: "10004125000000000", weight: "10004125000000000" }
  return {
    "platform.getTotalStake": {
      takes: { subnetID: "ID" },
      normal: [both({ subnetID: EMPTY }, primary)],
      "all parameters": [weighs(id("subnet"), "42"), weighs(id("open"), "5700"), weighs(id("l1"), "165"), weighs(NOWHERE, "0")],
      "omitted parameters": [both({}, primary), both(undefined, primary)],
    },
  }
}

/** A set of validators by node ID: weight and key. */
type Set = Readonly<Record<string, readonly [weight: number | bigint, publicKey?: string | undefined]>>

/** D1: the contract has a member with weights and one with keys; AvalancheGo's answer is the map itself. */
function setOf(params: Case["params"], set: Set): Case {
  const entries = Object.entries(set)
  return differ(
    params,
    {
      validators: Object.fromEntries(entries.map(([nodeID, [weight]]) => [nodeID, weight])),
      publicKeys: Object.fromEntries(entries.flatMap(([nodeID, [, key]]) => (key === undefined ? [] : [[nodeID, key]]))),
    },
    Object.fromEntries(entries.map(([nodeID, [weight, key]]) => [nodeID, { publicKey: key ?? null, weight: String(weight) }])),
  )
}

function setCases({ id, height, heightOf, members, locals, keyless, stayer }: MethodsFixture): Table {
  const [active, disabled, removed, registered] = members
  const keys = locals.map(({ signer }) => signer.publicKey)
  const [first, , third] = locals.map(({ nodeID }) => nodeID) as [string, string, string]
  const genesis: Set = Object.fromEntries(locals.map(({ nodeID }, i) => [nodeID, [2_000_000_000_000_000, keys[i]]]))
  const now: Set = { ...genesis, [keyless]: [2_025_000_000_000], [stayer.nodeID]: [2_100_000_000_000, stayer.signer.publicKey] }
  const leftover = { [first]: [8, keys[0]] } as const
  const l1 = id("l1")
  const key = (member: typeof active) => member?.publicKey
  const conversion: Set = {
    ...leftover,
    [active!.nodeID]: [100, key(active)],
    [disabled!.nodeID]: [50, key(disabled)],
    [removed!.nodeID]: [30, key(removed)],
  }
  const end: Set = {
    ...leftover,
    [NOBODY]: [50],
    [active!.nodeID]: [100, key(active)],
    [registered!.nodeID]: [7, key(registered)],
  }
  const ahead = (params: { height: number; subnetID?: string }) =>
    refused(
      params,
      "platform.future_height",
      { height: params.height, lastAccepted: height },
      `failed to get validator set at ${params.height}: failed to fetch validator set at unfinalized height with SubnetID = ${params.subnetID ?? EMPTY}: current P-chain height (${height}) < requested P-Chain height (${params.height})`,
    )
  const listOf = (set: Set) => {
    const entries = Object.entries(set)
    const validators = entries.flatMap(([nodeID, [weight, publicKey]]) =>
      publicKey === undefined ? [] : [{ publicKey, weight: String(weight), nodeIDs: [nodeID] }],
    )
    const totalWeight = String(entries.reduce((sum, [, [weight]]) => sum + BigInt(weight), 0n))
    return {
      validators: validators.sort((a, b) => (uncompressed(a.publicKey) < uncompressed(b.publicKey) ? -1 : 1)),
      totalWeight,
    }
  }
  const allAt = (params: Case["params"], sets: Readonly<Record<string, Set>>) =>
    both(params, { validatorSets: Object.fromEntries(Object.entries(sets).map(([subnetID, set]) => [subnetID, listOf(set)])) })
  const sets = {
    [EMPTY]: now,
    [id("subnet")]: { [first]: [42, keys[0]] } as Set,
    [id("open")]: { [third]: [5_700, keys[2]] } as Set,
    [l1]: end,
  }
  return {
    "platform.getValidatorsAt": {
      takes: { height: "height", subnetID: "ID" },
      normal: [setOf({ height }, now), setOf({ height: 1 }, genesis)],
      "all parameters": [
        setOf({ height: "proposed", subnetID: EMPTY }, now),
        setOf({ height, subnetID: id("subnet") }, { [first]: [42, keys[0]] }),
        setOf({ height, subnetID: id("open") }, { [third]: [5_700, keys[2]] }),
        setOf({ height: heightOf("conversion") - 1, subnetID: l1 }, leftover),
        setOf({ height: String(heightOf("conversion")), subnetID: l1 }, conversion),
        setOf({ height: "proposed", subnetID: l1 }, end),
        setOf({ height: 0, subnetID: l1 }, {}),
        setOf({ height, subnetID: NOWHERE }, {}),
      ],
      "omitted parameters": [setOf({}, genesis), setOf(undefined, genesis), setOf({ subnetID: id("subnet") }, {})],
      errors: [
        ahead({ height: height + 1 }),
        ahead({ height: height + 1_000, subnetID: l1 }),
        ahead({ height: height + 1, subnetID: NOWHERE }),
      ],
    },
    "platform.getAllValidatorsAt": {
      takes: { height: "height" },
      normal: [allAt({ height }, sets)],
      "all parameters": [allAt({ height: "proposed" }, sets), allAt({ height: 13 }, { [EMPTY]: genesis })],
      "omitted parameters": [allAt({}, { [EMPTY]: genesis }), allAt(undefined, { [EMPTY]: genesis })],
      errors: [
        refused(
          { height: height + 1 },
          "platform.future_height",
          { height: height + 1, lastAccepted: height },
          `failed to get validator sets at ${height + 1}: failed to fetch validator set at unfinalized height: current P-chain height (${height}) < requested P-Chain height (${height + 1})`,
        ),
      ],
    },
  }
}

/** Returns the uncompressed key, by which the entries are sorted. */
const uncompressed = (publicKey: string) => toHex(bls().decompressKey(fromHexText(publicKey, "hexnc")))

function sampleCases({ id, locals, members }: MethodsFixture): Table {
  const { nodeID: first } = locals[0]!
  const times = (count: number, nodeID: string) => Array(count).fill(nodeID)
  const [active, , , registered] = members
  const units = [...times(100, active!.nodeID), ...times(8, first), ...times(7, registered!.nodeID), ...times(50, NOBODY)]
  const everyone = units.sort((a, b) => (parseNodeID(a) < parseNodeID(b) ? -1 : 1))
  const refusedFor = (subnetID: string, size: number, code: string, data: object, reason: string) =>
    refused({ size, subnetID }, code, { subnetID, ...data } as never, `sampling ${subnetID} errored with ${reason}`)
  return {
    "platform.sampleValidators": {
      takes: { size: "u16", subnetID: "ID" },
      normal: [both({ size: 3 }, { validators: expect.toSatisfy((got: readonly string[]) => got.length === 3) })],
      "all parameters": [
        // A validator with much weight appears several times. A sample of all units contains every validator; inactive ones appear under
        // the empty node ID.
        both({ size: "2", subnetID: id("subnet") }, { validators: times(2, first) }),
        both({ size: 42, subnetID: id("subnet") }, { validators: times(42, first) }),
        both({ size: 165, subnetID: id("l1") }, { validators: everyone }),
        both({ size: 0, subnetID: NOWHERE }, { validators: [] }),
      ],
      "omitted parameters": [both({}, { validators: [] }), both(undefined, { validators: [] })],
      errors: [
        refusedFor(NOWHERE, 1, "platform.no_validators", {}, "missing validators"),
        refusedFor(id("subnet"), 43, "platform.insufficient_weight", { size: 43, weight: 42 }, "insufficient weight"),
        refusedFor(id("l1"), 166, "platform.insufficient_weight", { size: 166, weight: 165 }, "insufficient weight"),
      ],
    },
  }
}
