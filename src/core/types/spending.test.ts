import { describe, expect, test } from "vitest"
import { AVAX, addressOfByte, idOfByte, inputOf, lockedOutputOf, outputOf } from "../../../test/fixtures/txs.js"
import { EMPTY_ID } from "./id.js"
import { checkInput, checkInputOrder, checkSigners, compareInputs, type TransferableInput, unlockedInput } from "./input.js"
import { checkOutput, checkOutputOrder, compareOutputs, innerOutput, type TransferableOutput } from "./output.js"
import { checkOwner, isStrictlyAscending } from "./owners.js"

const [one, two, three] = [addressOfByte(1), addressOfByte(2), addressOfByte(3)]

describe("an owner", () => {
  test.each([
    ["one of one", 1, [one]],
    ["two of three", 2, [one, two, three]],
    ["anyone", 0, []],
  ])("may be %s", (_what, threshold, addresses) => {
    checkOwner({ threshold, addresses })
  })

  test.each([
    ["two of one", 2, [one], "types.owner_unspendable", "output is unspendable"],
    ["one of none", 1, [], "types.owner_unspendable", "output is unspendable"],
    ["none of one", 0, [one], "types.owner_unoptimized", "output representation should be optimized"],
    ["unsorted", 1, [two, one], "types.addresses_unsorted", "addresses not sorted and unique"],
    ["the same twice", 1, [one, one], "types.addresses_unsorted", "addresses not sorted and unique"],
  ])("may not be %s", (_what, threshold, addresses, code, reference) => {
    expect(() => checkOwner({ threshold, addresses })).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
  })
})

describe("an output", () => {
  const plain = outputOf(5n)
  const locked = lockedOutputOf(5n, 9n)

  test("may be plain or under a stakeable lock", () => {
    for (const output of [plain, locked]) checkOutput(output)
    expect(innerOutput(locked.output)).toEqual(plain.output)
    expect(innerOutput(plain.output)).toBe(plain.output)
  })

  test.each([
    ["no asset", { ...plain, assetID: EMPTY_ID }, "types.empty_asset", "empty asset ID is not valid"],
    ["no amount", outputOf(0n), "types.zero_output", "output has no value"],
    ["a lock without time", lockedOutputOf(5n, 0n), "types.zero_locktime", "invalid locktime"],
    ["a lock around nothing", lockedOutputOf(0n, 9n), "types.zero_output", "output has no value"],
    [
      "an owner that is none",
      { ...plain, output: { ...plain.output, threshold: 2 } },
      "types.owner_unspendable",
      "output is unspendable",
    ],
  ] as [string, TransferableOutput, string, string][])("may not have %s", (_what, output, code, reference) => {
    expect(() => checkOutput(output)).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
  })

  test("is sorted by asset, then by its bytes with the type ID in front; equal ones may be neighbours", () => {
    const otherAsset = outputOf(1n, idOfByte(0xff))
    const sorted = [
      outputOf(1n, idOfByte(0x01)),
      outputOf(255n),
      outputOf(256n),
      outputOf(256n),
      lockedOutputOf(1n, 1n),
      otherAsset,
    ]
    expect(AVAX < idOfByte(0xff)).toBe(true)
    checkOutputOrder(sorted)
    expect([...sorted].reverse().sort(compareOutputs)).toEqual(sorted)
    expect(() => checkOutputOrder([sorted[2]!, sorted[1]!])).toThrow(
      expect.objectContaining({
        code: "types.outputs_unsorted",
        data: { position: 1 },
        avalanchegoMessage: "outputs not sorted",
      }),
    )
    expect(() => checkOutputOrder([sorted[4]!, sorted[1]!])).toThrow(expect.objectContaining({ code: "types.outputs_unsorted" }))
  })
})

describe("an input", () => {
  const plain = inputOf(idOfByte(1), 0, 5n)
  const lockedBy = (locktime: bigint, input = unlockedInput(plain.input)): TransferableInput => ({
    ...plain,
    input: { kind: "LockIn", locktime, input },
  })

  test("may be plain or under a stakeable lock", () => {
    checkInput(plain)
    checkInput(lockedBy(9n))
    expect(unlockedInput(lockedBy(9n).input)).toEqual(plain.input)
  })

  test.each([
    ["no asset", { ...plain, assetID: EMPTY_ID }, "types.empty_asset", "empty asset ID is not valid"],
    ["no amount", inputOf(idOfByte(1), 0, 0n), "types.zero_input", "input has no value"],
    ["a lock without time", lockedBy(0n), "types.zero_locktime", "invalid locktime"],
    [
      "indices out of order",
      lockedBy(9n, { kind: "TransferInput", amount: 5n, signatureIndices: [1, 0] }),
      "types.indices_unsorted",
      "address indices not sorted and unique",
    ],
  ] as [string, TransferableInput, string, string][])("may not have %s", (_what, input, code, reference) => {
    expect(() => checkInput(input)).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
  })

  test("is sorted by transaction, then by index as a number, and never there twice", () => {
    const sorted = [
      inputOf(idOfByte(1), 9, 5n),
      inputOf(idOfByte(1), 10, 5n),
      inputOf(idOfByte(1), 4_294_967_295, 5n),
      inputOf(idOfByte(2), 0, 5n),
    ]
    checkInputOrder(sorted)
    expect([...sorted].reverse().sort(compareInputs)).toEqual(sorted)
    for (const wrong of [
      [sorted[1]!, sorted[0]!],
      [sorted[0]!, sorted[0]!],
    ]) {
      expect(() => checkInputOrder(wrong)).toThrow(
        expect.objectContaining({
          code: "types.inputs_unsorted",
          data: { position: 1 },
          avalanchegoMessage: "inputs not sorted and unique",
        }),
      )
    }
  })
})

test("signature indices are ascending numbers, and may be none", () => {
  checkSigners({ signatureIndices: [] })
  checkSigners({ signatureIndices: [2, 10] })
  for (const signatureIndices of [
    [2, 2],
    [10, 2],
  ]) {
    expect(() => checkSigners({ signatureIndices })).toThrow(expect.objectContaining({ code: "types.indices_unsorted" }))
  }
  expect(isStrictlyAscending([2, 10])).toBe(true)
})
