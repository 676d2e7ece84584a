import { expect, test } from "vitest"
import { openRpcOf, serviceList } from "../../src/client/services.js"
import {
  defaultForPeople,
  type FormField,
  fieldsOf,
  hintForPeople,
  paramsOf,
  placeholderOf,
  type RpcMethod,
  valueForPeople,
  wordsOf,
} from "../../src/page/data/openrpc.js"

const { methods } = openRpcOf(serviceList, "0", "") as unknown as { methods: readonly RpcMethod[] }

const fieldsIn = (name: string) => fieldsOf(methods.find((each) => each.name === name) as RpcMethod)
const fieldIn = (name: string, key: string) => fieldsIn(name).find((each) => each.key === key) as FormField

test("a form gives numbers as numbers, lists as lists, and members of an object in it", () => {
  const texts = { count: "2", weight: "18446744073709551615", "autoRenew.period": "60", "autoRenew.compound": "12.5" }
  expect(paramsOf(fieldsIn("dev.addValidators"), texts)).toEqual({
    count: 2,
    weight: 18446744073709551615n,
    autoRenew: { period: 60, compound: 12.5 },
  })
  expect(paramsOf(fieldsIn("dev.createL1"), { validators: "1", chainName: "7", vm: " " })).toEqual({
    validators: 1,
    chainName: "7",
  })
  expect(paramsOf(fieldsIn("dev.impersonate"), { addresses: "P-a, P-b" })).toEqual({ addresses: ["P-a", "P-b"] })
})

test("in the Lab amounts are in AVAX and periods in days, in fields, hints and defaults", () => {
  const texts = { count: "1", weight: "2,000.5", duration: "14", "autoRenew.period": "0.5" }
  expect(paramsOf(fieldsIn("dev.addValidators"), texts, valueForPeople)).toEqual({
    count: 1,
    weight: 2_000_500_000_000n,
    duration: 1_209_600,
    autoRenew: { period: 43_200 },
  })
  const balance = fieldIn("dev.createL1", "balance")
  expect([hintForPeople(balance), defaultForPeople(balance)]).toEqual([expect.stringContaining("in AVAX"), "1"])
  expect(() => valueForPeople("ten", balance)).toThrow("An amount is a number of AVAX")
  expect(() => valueForPeople("two weeks", fieldIn("dev.addValidators", "duration"))).toThrow("A time is a number of days")
})

test("no field of the Lab keeps a unit of the API, but those that are named after it", () => {
  const dev = methods.filter(({ name }) => name.startsWith("dev."))
  const raw = dev.flatMap((method) =>
    fieldsOf(method).flatMap((field) => (/nAVAX|in seconds/.test(hintForPeople(field)) ? [`${method.name} ${field.key}`] : [])),
  )
  expect(raw).toEqual(["dev.setBlockMode seconds"])
})

test("a placeholder is the default, or the beginning of a value of its kind", () => {
  const placeholder = (method: string, key: string) => placeholderOf(fieldIn(method, key), "P-local1")
  expect(placeholder("dev.createL1", "managerAddress")).toBe(`0x${"00".repeat(20)}`)
  expect(placeholder("dev.signWarpMessage", "unsignedMessage")).toBe("0x…")
  expect(placeholder("dev.setUptime", "nodeID")).toBe("NodeID-…")
  expect([placeholder("dev.fund", "address"), placeholder("dev.createL1", "owner")]).toEqual(["P-local1…", "P-local1…"])
})

test("names of methods and parameters are words", () => {
  expect(
    ["createL1", "setL1Weight", "validationID", "autoRenew.period", "simulateTx", "nodeIDs", "signWarpMessage"].map(wordsOf),
  ).toEqual([
    "Create L1",
    "Set L1 weight",
    "Validation ID",
    "Auto renew period",
    "Simulate transaction",
    "Node IDs",
    "Sign Warp message",
  ])
})
