import { expect, test } from "vitest"
import { hrpOf, isProduction, isStandard, networkIDOf, networkNameOf } from "./names.js"

test("networks go by their name and HRP", () => {
  expect([1, 2, 3, 4, 5, 10, 12345, 0, 9999].map((id) => [id, networkNameOf(id), hrpOf(id)])).toEqual([
    [1, "mainnet", "avax"],
    [2, "cascade", "cascade"],
    [3, "denali", "denali"],
    [4, "everest", "everest"],
    [5, "fuji", "fuji"],
    [10, "testing", "testing"],
    [12345, "local", "local"],
    [0, "network-0", "custom"],
    [9999, "network-9999", "custom"],
  ])
})

test("--network-id takes names in any case, numbers, and network- in front of numbers", () => {
  const texts = ["MaInNeT", "fuji", "TESTNET", "local", "0", "005", "network-4294967295", "Network-12345"]
  expect(texts.map(networkIDOf)).toEqual([1, 5, 5, 12345, 0, 5, 4294967295, 12345])
})

test("a text that names no network is refused", () => {
  for (const text of [
    "",
    "networ-1",
    "network-",
    "network-fuji",
    "4294967296",
    "4294967295123123",
    "-1",
    "+1",
    "1e3",
    " 1",
    "1_000",
  ]) {
    expect(() => networkIDOf(text), text).toThrow(
      expect.objectContaining({ code: "network.unknown_name", avalanchegoMessage: `failed to parse network name: "${text}"` }),
    )
  }
})

test("Mainnet and Fuji are production; with local they are standard", () => {
  expect([1, 5, 12345, 10, 9999].map((id) => [isProduction(id), isStandard(id)])).toEqual([
    [true, true],
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ])
})
