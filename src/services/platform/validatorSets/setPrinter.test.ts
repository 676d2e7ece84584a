import { expect, test } from "vitest"
import { changingSets, changingSubnets as subnets } from "../../../../test/fixtures/changingSets.js"
import { printerOf } from "../../../core/codec/print.js"
import { doNow } from "../../../core/lib/work.js"
import { placeOfSet, segmentAt } from "../../../core/readmodel/validatorSets/segmentAt.js"
import type { SetSegment } from "../../../core/readmodel/validatorSets/setSegment.js"
import type { ValidatorSet } from "../../../core/rules/validatorSet.js"
import { nodeIDText } from "../../../core/types/id.js"
import type { ParseContext } from "../../../jsonrpc/schema/param.js"
import { namedRows } from "./segmentNames.js"
import { SetPrinter } from "./setPrinter.js"
import { validatorSetOutput } from "./setSchemas.js"

/** The same by the schema. */
const plain = printerOf(validatorSetOutput) as (set: ValidatorSet, as: ParseContext) => string

const printersOf = (segment: SetSegment) => ({
  contract: new SetPrinter(doNow(namedRows(segment, nodeIDText)), "contract"),
  avalanchego: new SetPrinter(doNow(namedRows(segment, nodeIDText)), "avalanchego"),
})

test("the set of every height is printed in both dialects, with joining and leaving validators and weights of every length", () => {
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
      for (const dialect of ["contract", "avalanchego"] as const) {
        expect([height, textIn(dialect)]).toEqual([height, plain(set, { dialect })])
      }
      printed++
    }
  }
  expect(printed).toBeGreaterThan(1_000)
})
