import { expect, test } from "vitest"
import { listenError } from "./http.js"

const place = { host: "1.2.3.4", port: 443 }
const failing = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

test.each([
  ["EADDRINUSE", "listen", "node.address_taken"],
  ["EADDRNOTAVAIL", "listen", "node.cannot_listen"],
  ["EACCES", "listen", "node.cannot_listen"],
  ["ENOTFOUND", "getaddrinfo", "node.cannot_listen"],
])("%s of %s is refused as %s with host and port", (code, syscall, expected) => {
  expect(listenError(failing(code, syscall), place)).toMatchObject({ code: expected, data: place })
})

test("an error of another system call is left alone", () => {
  expect(listenError(failing("EACCES", "open"), place)).toBeUndefined()
  expect(listenError(new Error("anything"), place)).toBeUndefined()
})
