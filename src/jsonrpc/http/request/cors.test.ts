import { expect, test } from "vitest"
import { cors, devCors } from "./cors.js"

const all = cors(["*"])
const some = cors(["https://a.example", "https://*.b.example"])

test("every origin is answered with a star where all are allowed", () => {
  expect(all.answer("https://x.example", "POST")).toEqual([
    "Access-Control-Allow-Origin",
    "*",
    "Access-Control-Allow-Credentials",
    "true",
  ])
  expect(all.answer("https://x.example", "OPTIONS")).toContain("*")
  expect(all.answer("https://x.example", "DELETE")).toEqual([])
})

test("named origins are answered with themselves", () => {
  expect(some.answer("https://a.example", "GET")).toContain("https://a.example")
  expect(some.answer("https://x.b.example", "GET")).toContain("https://x.b.example")
  expect(some.answer("https://b.example", "GET")).toEqual([])
  expect(some.answer("https://c.example", "GET")).toEqual([])
})

test("a preflight repeats what was asked for, in canonical case", () => {
  expect(all.preflight("https://x.example", "post", "content-type, accept")).toEqual([
    "Access-Control-Allow-Origin",
    "*",
    "Access-Control-Allow-Credentials",
    "true",
    "Access-Control-Allow-Methods",
    "POST",
    "Access-Control-Allow-Headers",
    "Content-Type, Accept",
  ])
  expect(all.preflight("https://x.example", "POST", undefined)).not.toContain("Access-Control-Allow-Headers")
})

test("characters that no header name may contain are ignored", () => {
  for (const asked of ["content-type;", "content-type,é", ",, content-type"]) {
    expect(all.preflight("https://x.example", "POST", asked).at(-1)).toBe("Content-Type")
  }
  expect(all.preflight("https://x.example", "options", ",")).toContain("OPTIONS")
})

test("one disallowed header or method removes all permissions", () => {
  expect(all.preflight("https://x.example", "POST", "content-type, x-secret")).toEqual([])
  expect(all.preflight("https://x.example", "DELETE", "")).toEqual([])
  expect(some.preflight("https://c.example", "POST", "")).toEqual([])
})

test("the dev interface is for pages of this machine and for origins named one by one", () => {
  const dev = devCors(["*", "https://a.example"])
  for (const origin of ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:5173", "https://a.example"]) {
    expect(dev.allows(origin)).toBe(true)
  }
  for (const origin of ["chrome-extension://localhost", "tauri://localhost", "capacitor://localhost", "file://localhost"]) {
    expect(dev.allows(origin)).toBe(false)
  }
  for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "http://127.evil.example", "x"]) {
    expect(dev.allows(origin)).toBe(false)
  }
})
