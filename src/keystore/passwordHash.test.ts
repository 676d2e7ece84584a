import { expect, test } from "vitest"
import { hexToBytes, toHex } from "../core/lib/bytes.js"
import { argon2id, isSameHash } from "./passwordHash.js"

const salt = hexToBytes("000102030405060708090a0b0c0d0e0f")

test("a password's hash is AvalancheGo's", async () => {
  const hash = await argon2id("Fuji-Test-1234", salt)
  expect(toHex(hash)).toBe("d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f")
  expect(isSameHash(hash, await argon2id("Fuji-Test-1234", salt))).toBe(true)
  expect(isSameHash(hash, await argon2id("Fuji-Test-1235", salt))).toBe(false)
  expect(isSameHash(hash, await argon2id("", salt))).toBe(false)
})

test("hashing leaves the event loop free", async () => {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await argon2id("Fuji-Test-1234", salt)
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(10)
})
