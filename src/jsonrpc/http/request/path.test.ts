import { expect, test } from "vitest"
import { cleanPath, locationOf, targetOf } from "./path.js"

test("a target is a path and a query", () => {
  expect(targetOf("/ext/info?a=1?b")).toEqual({ path: "/ext/info", query: "?a=1?b" })
  expect(targetOf("/ext/%69nfo")).toEqual({ path: "/ext/info", query: "" })
  expect(targetOf("http://localhost:9650/ext//info?x")).toEqual({
    path: "/ext//info",
    query: "?x",
    address: { text: "http://localhost:9650", host: "localhost:9650" },
  })
  expect(targetOf("/%zz")).toBeUndefined()
  expect(targetOf("*")).toBeUndefined()
})

test.each([
  ["/ext/info", "/ext/info"],
  ["//ext//info", "/ext/info"],
  ["/ext/./info", "/ext/info"],
  ["/ext/x/../info/", "/ext/info/"],
  ["/../..", "/"],
  ["/", "/"],
])("%s cleaned is %s", (path, clean) => expect(cleanPath(path)).toBe(clean))

test("a redirect keeps the query and escapes the rest", () => {
  expect(locationOf("/ext/a b?", { query: "?x=1" })).toBe("/ext/a%20b%3F?x=1")
  expect(locationOf("/a'b!(c)*", { query: "" })).toBe("/a%27b%21%28c%29%2A")
  expect(locationOf("/a", { query: "", address: { text: "http://x:1", host: "x:1" } })).toBe("http://x:1/a")
})
