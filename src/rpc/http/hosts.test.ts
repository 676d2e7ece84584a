import { expect, test } from "vitest"
import { hostCheck } from "./hosts.js"

const check = hostCheck(["localhost", "Node.Example"])

test.each([
  undefined,
  "",
  "127.0.0.1",
  "127.0.0.1:9650",
  "[::1]:80",
  "::1",
  "[::1]",
  "localhost",
  "LOCALHOST:9650",
  "localhost:",
  "node.example",
])("%s may be served", (host) => expect([check(host), check(host)]).toEqual([true, true]))

test.each(["localhost.", "a.localhost", "evil.example", "127.0.0.1.evil.example", "localhost:1:2", "[localhost]x"])(
  "%s may not",
  (host) => expect([check(host), check(host)]).toEqual([false, false]),
)

test("a star allows all", () => expect(hostCheck(["*"])("evil.example")).toBe(true))
