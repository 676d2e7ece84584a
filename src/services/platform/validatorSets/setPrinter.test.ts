import { expect, test } from "vitest"
import { changingSets, changingSubnets as subnets } from "../../../../test/fixtures/changingSets.js"
import { compressKey } from "../../../core/crypto/compressKey.js"
import { doNow } from "../../../core/lib/work.js"
import { placeOfSet, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import type { SetSegment } from "../../../core/readmodel/validatorSets/setSegment.js"
import type { ValidatorSet } from "../../../core/rules/validatorSet.js"
import { toHexText } from "../../../core/types/hexText.js"
import { nodeIDText } from "../../../core/types/id.js"
import { namedRows } from "./segmentNames.js"
import { SetPrinter } from "./setPrinter.js"

const keyOf = (key: Uint8Array) => toHexText(compressKey(key), "hexnc")

/** Members by name, as JSON prints them. */
function named(set: ValidatorSet) {
  const members = [...set].map(([nodeID, { weight, publicKey }]) => ({ name: nodeIDText(nodeID), weight, key: publicKey[0] }))
  return members.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function contractText(set: ValidatorSet): string {
  const members = named(set)
  const weights = members.map(({ name, weight }) => `"${name}":${weight}`)
  const keys = members.flatMap(({ name, key }) => (key ? [`"${name}":"${keyOf(key)}"`] : []))
  return `{"validators":{${weights.join()}},"publicKeys":{${keys.join()}}}`
}

function avalanchegoText(set: ValidatorSet): string {
  const records = named(set).map(({ name, weight, key }) => {
    return `"${name}":{"publicKey":${key ? `"${keyOf(key)}"` : null},"weight":"${weight}"}`
  })
  return `{${records.join()}}`
}

const printersOf = (segment: SetSegment) => ({
  contract: new SetPrinter(doNow(namedRows(segment, nodeIDText)), "contract"),
  avalanchego: new SetPrinter(doNow(namedRows(segment, nodeIDText)), "avalanchego"),
})

test("the set of every height is printed as it was, in both dialects, whoever came or went and however long a weight is", () => {
  const { store, remembered } = changingSets(900)
  const printers = new Map<string, Record<"contract" | "avalanchego", SetPrinter>>()
  let printed = 0
  for (const [height, sets] of remembered.entries()) {
    for (const subnetID of subnets.slice(0, 2)) {
      const place = placeOfSet(store.latest, subnetID, BigInt(height))
      if (!place) continue
      const key = `${subnetID} ${place.kind} ${place.upTo}`
      const printer = printers.get(key) ?? printersOf(doNow(segmentAt(store.latest, place)))
      printers.set(key, printer)
      const set = sets.get(subnetID) as ValidatorSet
      const textIn = (dialect: "contract" | "avalanchego") =>
        Buffer.concat(printer[dialect].print(BigInt(height)).pieces).toString()
      expect([height, textIn("contract")]).toEqual([height, contractText(set)])
      expect([height, textIn("avalanchego")]).toEqual([height, avalanchegoText(set)])
      printed++
    }
  }
  expect(printed).toBeGreaterThan(1_000)
})
