import { expect, test } from "vitest"
import { changingSets, changingSubnets } from "../../../../test/fixtures/changingSets.js"
import { printerOf } from "../../../core/codec/print.js"
import { toHex } from "../../../core/lib/bytes.js"
import { doNow } from "../../../core/lib/work.js"
import { placeOfSet, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { type SetSegment, setAt } from "../../../core/readmodel/validatorSets/setSegment.js"
import { canonicalSet, type ValidatorSet } from "../../../core/rules/validatorSet.js"
import { type NodeID, nodeIDText } from "../../../core/types/id.js"
import { CanonicalPrinter } from "./canonicalPrinter.js"
import { namedRows } from "./segmentNames.js"
import { canonicalSetOutput } from "./setSchemas.js"

const [subnetID] = changingSubnets

const printed = (segment: SetSegment, height: bigint): string | undefined => {
  const raw = new CanonicalPrinter(doNow(namedRows(segment, nodeIDText))).print(height)
  return raw && Buffer.concat(raw.pieces).toString()
}

/** Returns the canonical set as its schema prints it. */
function expectedText(set: ValidatorSet): string | undefined {
  return set.size === 0 ? undefined : printerOf(canonicalSetOutput)(canonicalSet(set), {})
}

test("the signers of every height are those that Warp messages are verified with; validators with one key are one signer", () => {
  const { store, remembered } = changingSets(600)
  const shared = new Set<number>()
  for (const [height, sets] of remembered.entries()) {
    const place = placeOfSet(store.latest, subnetID, BigInt(height))
    if (!place) continue
    const set = sets.get(subnetID) as ValidatorSet
    expect([height, printed(doNow(segmentAt(store.latest, place)), BigInt(height))]).toEqual([height, expectedText(set)])
    for (const { nodeIDs } of set.size > 0 ? canonicalSet(set).signers : []) shared.add(nodeIDs.length)
  }
  expect(shared.size).toBeGreaterThan(2)
})

test("a set whose weight overflows, or that is empty, is refused", () => {
  const weighing = (...weights: readonly bigint[]) => {
    const nodeOf = (i: number) => `${i + 1}`.padStart(40, "0") as NodeID
    const rows = weights.map((weight, i) => ({ nodeID: nodeOf(i), publicKey: undefined, spans: [{ since: 5n, weight }] }))
    return printed({ from: 5n, rows }, 5n)
  }
  const most = 2n ** 64n - 1n
  expect(weighing(most - 1n, 1n)).toBe(`{"validators":[],"totalWeight":"${most}"}`)
  expect([weighing(most, 1n), weighing(0n), weighing()]).toEqual([undefined, undefined, undefined])
})

test("the signers of a segment without shared keys are printed the same way", () => {
  const { store } = changingSets(600)
  let printedKeys = 0
  for (let height = 5n; height < 600n; height += 29n) {
    const place = placeOfSet(store.latest, subnetID, height)
    if (!place) continue
    const { from, rows } = doNow(segmentAt(store.latest, place))
    const keys = new Set<string>()
    const own = rows.filter(({ publicKey }) => !publicKey || (!keys.has(toHex(publicKey)) && keys.add(toHex(publicKey))))
    const segment = { from, rows: own }
    expect([height, printed(segment, height)]).toEqual([height, expectedText(setAt(segment, height))])
    printedKeys += keys.size
  }
  expect(printedKeys).toBeGreaterThan(100)
})
