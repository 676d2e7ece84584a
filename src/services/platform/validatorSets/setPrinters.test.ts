import { expect, test } from "vitest"
import { changingSets, changingSubnets as subnets } from "../../../../test/fixtures/changingSets.js"
import { print } from "../../../core/codec/textSink.js"
import { toHex } from "../../../core/lib/bytes.js"
import { neverPausing } from "../../../core/lib/pace.js"
import { placeOfSet, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { type SetSegment, setAt } from "../../../core/readmodel/validatorSets/setSegment.js"
import { canonicalSet, type ValidatorSet } from "../../../core/rules/validatorSet.js"
import { type NodeID, nodeIDText } from "../../../core/types/id.js"
import type { ParseContext } from "../../../jsonrpc/schema/param.js"
import { CanonicalPrinter, namedRows, SetPrinter } from "./setPrinters.js"
import { canonicalSetOutput, validatorSetOutput } from "./setSchemas.js"

/** The same by the schema. */
const plain = (set: ValidatorSet, as: ParseContext) => print(validatorSetOutput, set, as)

const printersOf = async (segment: SetSegment) => ({
  contract: new SetPrinter(await namedRows(segment, nodeIDText, neverPausing), "contract"),
  avalanchego: new SetPrinter(await namedRows(segment, nodeIDText, neverPausing), "avalanchego"),
})

test("the set of every height is printed in both dialects, with joining and leaving validators and weights of every length", async () => {
  const { store, remembered } = changingSets(900)
  const printers = new Map<string, Record<"contract" | "avalanchego", SetPrinter>>()
  let printed = 0
  for (const [height, sets] of remembered.entries()) {
    for (const subnetID of subnets.slice(0, 2)) {
      const place = placeOfSet(store.latest, subnetID, BigInt(height))
      if (!place) continue
      const key = `${subnetID} ${place.kind} ${place.upTo}`
      const printer = printers.get(key) ?? (await printersOf(segmentAt(store.latest, place)))
      printers.set(key, printer)
      const set = sets.get(subnetID) as ValidatorSet
      const textIn = (dialect: "contract" | "avalanchego") =>
        Buffer.concat(printer[dialect].print(BigInt(height)).chunks).toString()
      for (const dialect of ["contract", "avalanchego"] as const) {
        expect([height, textIn(dialect)]).toEqual([height, plain(set, { dialect })])
      }
      printed++
    }
  }
  expect(printed).toBeGreaterThan(1_000)
})

const [subnetID] = subnets

const printedSigners = async (segment: SetSegment, height: bigint): Promise<string | undefined> => {
  const raw = new CanonicalPrinter(await namedRows(segment, nodeIDText, neverPausing)).print(height)
  return raw && Buffer.concat(raw.chunks).toString()
}

/** Returns the canonical set as its schema prints it. */
function canonicalText(set: ValidatorSet): string | undefined {
  return set.size === 0 ? undefined : print(canonicalSetOutput, canonicalSet(set), {})
}

test("the signers of every height are those that Warp messages are verified with; validators with one key are one signer", async () => {
  const { store, remembered } = changingSets(600)
  const shared = new Set<number>()
  for (const [height, sets] of remembered.entries()) {
    const place = placeOfSet(store.latest, subnetID, BigInt(height))
    if (!place) continue
    const set = sets.get(subnetID) as ValidatorSet
    expect([height, await printedSigners(segmentAt(store.latest, place), BigInt(height))]).toEqual([height, canonicalText(set)])
    for (const { nodeIDs } of set.size > 0 ? canonicalSet(set).signers : []) shared.add(nodeIDs.length)
  }
  expect(shared.size).toBeGreaterThan(2)
})

test("a set whose weight overflows, or that is empty, is refused", async () => {
  const weighing = (...weights: readonly bigint[]) => {
    const nodeOf = (i: number) => `${i + 1}`.padStart(40, "0") as NodeID
    const rows = weights.map((weight, i) => ({ nodeID: nodeOf(i), publicKey: undefined, spans: [{ since: 5n, weight }] }))
    return printedSigners({ from: 5n, rows }, 5n)
  }
  const most = 2n ** 64n - 1n
  expect(await weighing(most - 1n, 1n)).toBe(`{"validators":[],"totalWeight":"${most}"}`)
  expect([await weighing(most, 1n), await weighing(0n), await weighing()]).toEqual([undefined, undefined, undefined])
})

test("the signers of a segment without shared keys are printed the same way", async () => {
  const { store } = changingSets(600)
  let printedKeys = 0
  for (let height = 5n; height < 600n; height += 29n) {
    const place = placeOfSet(store.latest, subnetID, height)
    if (!place) continue
    const { from, rows } = segmentAt(store.latest, place)
    const keys = new Set<string>()
    const own = rows.filter(({ publicKey }) => !publicKey || (!keys.has(toHex(publicKey)) && keys.add(toHex(publicKey))))
    const segment = { from, rows: own }
    expect([height, await printedSigners(segment, height)]).toEqual([height, canonicalText(setAt(segment, height))])
    printedKeys += keys.size
  }
  expect(printedKeys).toBeGreaterThan(100)
})
