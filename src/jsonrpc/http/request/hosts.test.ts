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
  "[127.0.0.1]:80",
  "[localhost]:80",
  "localhost",
  "LOCALHOST:9650",
  "localhost:",
  "node.example",
])("%s may be served", (host) => expect([check(host), check(host)]).toEqual([true, true]))

// All recorded from v1.14.2, also its peculiarities: an IPv6 address in brackets needs its port, and may not name a zone.
test.each([
  "localhost.",
  "a.localhost",
  "evil.example",
  "127.0.0.1.evil.example",
  "localhost:1:2",
  "[localhost]x",
  "[localhost]",
  "[::1]",
  "[fe80::1%25eth0]:80",
  "fe80::1%eth0",
  "localhost:80]",
  "lo[calhost:80",
])("%s may not", (host) => expect([check(host), check(host)]).toEqual([false, false]))

test("a star allows all", () => expect(hostCheck(["*"])("evil.example")).toBe(true))

test("an answer does not depend on the hosts before it", () => {
  const own = hostCheck(["localhost"])
  expect(["localhost", undefined, "", "evil.example", "localhost", "evil.example", undefined].map(own)).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
  ])
})
