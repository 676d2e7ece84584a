import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { sha256 } from "../core/crypto/hash.js"
import { concatBytes, hexToBytes, toHex, utf8 } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { openLmdbStore } from "../store/lmdb/openLmdbStore.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import { Keystore } from "./keystore.js"
import type { PasswordHasher } from "./passwordHash.js"
import { keystoreTables } from "./tables.js"
import { readExport, writeExport } from "./user.js"

const GOOD = "Fuji-Test-1234"
const OTHER = "passwTest@fake01ord"
const emptyStore = () => new MemoryStore({ tablesBesideChain: keystoreTables })

/** A hash that takes no time, for tests that are not about the hash. */
const quick: PasswordHasher = async (password, salt) => sha256(concatBytes(utf8(password), salt))
const open = (store: Store = emptyStore(), hash = quick) => new Keystore(store, { hash })

async function refusalOf(action: Promise<unknown>): Promise<Invalid> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Invalid) return error
  throw new Error("nothing was refused", { cause: error })
}

async function expectRefusal(action: Promise<unknown>, code: string, reference?: string): Promise<void> {
  const refusal = await refusalOf(action)
  expect(refusal.code).toBe(code)
  if (reference !== undefined) expect(refusal.avalanchegoMessage).toBe(reference)
}

test("a user lives from creation over export and import under another name to deletion", async () => {
  const keystore = open()
  await keystore.createUser("bob", GOOD, "contract")
  const exported = await keystore.exportUser("bob", GOOD, "contract")
  expect(exported.length).toBe(54)
  await keystore.importUser("eve", GOOD, exported, "contract")
  expect(await keystore.exportUser("eve", GOOD, "contract")).toEqual(exported)
  expect(keystore.listUsers()).toEqual(["bob", "eve"])
  await keystore.deleteUser("bob", GOOD, "contract")
  expect(keystore.listUsers()).toEqual(["eve"])
  await keystore.createUser("bob", OTHER, "contract")
  expect(await keystore.exportUser("bob", OTHER, "contract")).not.toEqual(exported)
})

test("the number of users and of their bytes is limited, and deleting makes room", async () => {
  const keystore = new Keystore(emptyStore(), { hash: quick, quota: { users: 3, bytes: 1000 } })
  for (const name of ["a", "b", "c"]) await keystore.createUser(name, GOOD, "contract")
  await expectRefusal(keystore.createUser("d", GOOD, "contract"), "keystore.full")
  await keystore.deleteUser("a", GOOD, "contract")
  const user = readExport(await keystore.exportUser("b", GOOD, "contract"))
  const large = writeExport({ ...user, pairs: [{ key: new Uint8Array(1), value: new Uint8Array(999) }] })
  await expectRefusal(keystore.importUser("d", GOOD, large, "contract"), "keystore.full")
  const fitting = writeExport({ ...user, pairs: [{ key: new Uint8Array(1), value: new Uint8Array(990) }] })
  await keystore.importUser("d", GOOD, fitting, "contract")
  expect(keystore.listUsers()).toEqual(["b", "c", "d"])
})

test("a wrong password takes one hash, whether there is such a user or not", async () => {
  let hashes = 0
  const counting: PasswordHasher = (password, salt) => {
    hashes++
    return quick(password, salt)
  }
  const keystore = open(emptyStore(), counting)
  await keystore.createUser("bob", GOOD, "contract")
  for (const name of ["bob", "nobody"]) {
    const before = hashes
    await expectRefusal(keystore.exportUser(name, OTHER, "contract"), "keystore.wrong_password")
    expect([name, hashes - before]).toEqual([name, 1])
  }
})

test("names sort by their bytes, are not normalised, and half a surrogate pair is U+FFFD", async () => {
  const keystore = open()
  for (const name of ["😀", "\uffff", "e\u0301", "é", "b", "B", "10", "9", "\ud800", "\ufeff"]) {
    await keystore.createUser(name, GOOD, "avalanchego")
  }
  expect(keystore.listUsers()).toEqual(["10", "9", "B", "b", "e\u0301", "é", "\ufeff", "\ufffd", "\uffff", "😀"])
  await expectRefusal(keystore.createUser("\udfff", GOOD, "avalanchego"), "keystore.user_exists", "user already exists: \ufffd")
})

test("refusals come in the reference's order", async () => {
  const keystore = open()
  const long = "n".repeat(1025)
  await keystore.createUser("bob", GOOD, "avalanchego")
  await expectRefusal(keystore.createUser("", "", "avalanchego"), "keystore.empty_username", "empty username")
  await expectRefusal(
    keystore.createUser(long, "", "avalanchego"),
    "keystore.username_too_long",
    "username exceeds maximum length of 1024 chars",
  )
  await expectRefusal(keystore.createUser("bob", "", "avalanchego"), "keystore.user_exists", "user already exists: bob")
  await expectRefusal(keystore.createUser("al", "", "avalanchego"), "keystore.empty_password", "empty password")
  await expectRefusal(
    keystore.createUser("al", "a".repeat(1025), "avalanchego"),
    "keystore.password_too_long",
    "password exceeds maximum length of 1024 chars",
  )
  await expectRefusal(keystore.createUser("al", "weak", "avalanchego"), "keystore.weak_password", "password is too weak")
  await expectRefusal(keystore.deleteUser("al", GOOD, "avalanchego"), "keystore.unknown_user", "user doesn't exist: al")
  await expectRefusal(
    keystore.deleteUser("bob", OTHER, "avalanchego"),
    "keystore.wrong_password",
    'incorrect password: user "bob"',
  )
  await expectRefusal(
    keystore.exportUser("a\n", GOOD, "avalanchego"),
    "keystore.wrong_password",
    'incorrect password: user "a\\n"',
  )
  await expectRefusal(keystore.importUser("bob", OTHER, new Uint8Array(0), "avalanchego"), "keystore.user_exists")
  await expectRefusal(keystore.importUser("al", OTHER, new Uint8Array(0), "avalanchego"), "keystore.bad_export")
  const exported = await keystore.exportUser("bob", GOOD, "avalanchego")
  await expectRefusal(keystore.importUser("al", OTHER, exported, "avalanchego"), "keystore.wrong_password")
  expect(keystore.listUsers()).toEqual(["bob"])
})

test("the contract counts characters and takes what it recommends; AvalancheGo counts bytes and scores", async () => {
  const keystore = open()
  const name = "é".repeat(1024)
  await expectRefusal(keystore.createUser(name, GOOD, "avalanchego"), "keystore.username_too_long")
  await expectRefusal(keystore.createUser(`${name}é`, GOOD, "contract"), "keystore.username_too_long")
  await keystore.createUser(name, GOOD, "contract")
  await keystore.createUser("😀".repeat(1024), "é".repeat(1024), "contract")
  await expectRefusal(keystore.createUser("al", "é".repeat(513), "avalanchego"), "keystore.password_too_long")
  await expectRefusal(keystore.createUser("al", "Password1!", "avalanchego"), "keystore.weak_password")
  await keystore.createUser("al", "Password1!", "contract")
  await expectRefusal(keystore.createUser("bo", "password", "contract"), "keystore.weak_password")
  expect(keystore.listUsers()).toEqual(["al", name, "😀".repeat(1024)])
})

test("of many simultaneous calls for one name, one succeeds", async () => {
  const keystore = open()
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => keystore.createUser("bob", i === 3 ? GOOD : OTHER, "avalanchego")),
  )
  expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(1)
  await keystore.exportUser("bob", OTHER, "avalanchego")
  const deletions = await Promise.allSettled(Array.from({ length: 5 }, () => keystore.deleteUser("bob", OTHER, "avalanchego")))
  expect(deletions.filter(({ status }) => status === "fulfilled").length).toBe(1)
  expect(keystore.listUsers()).toEqual([])
})

test("two passwords are hashed at a time; past 256 that wait the next is turned away", async () => {
  let running = 0
  let most = 0
  const slow: PasswordHasher = async (password, salt) => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => setImmediate(resolve))
    running--
    return quick(password, salt)
  }
  const keystore = open(emptyStore(), slow)
  const ends = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => keystore.createUser(`user ${i}`, GOOD, "contract")))
  expect(most).toBe(2)
  const refusals = ends.flatMap((end) => (end.status === "rejected" ? [(end.reason as Invalid).code] : []))
  expect(new Set(refusals)).toEqual(new Set(["keystore.busy"]))
  expect(keystore.listUsers().length).toBe(300 - refusals.length)
  expect(keystore.listUsers().length).toBeGreaterThanOrEqual(258)
})

test("no refusal contains the password or its hash", async () => {
  const keystore = open()
  await keystore.createUser("bob", GOOD, "contract")
  const secret = "s3cr3t-not-to-be-seen"
  const refusals = [
    await refusalOf(keystore.createUser("bob", secret, "contract")),
    await refusalOf(keystore.deleteUser("bob", secret, "contract")),
    await refusalOf(keystore.exportUser("bob", secret, "contract")),
    await refusalOf(keystore.importUser("al", secret, await keystore.exportUser("bob", GOOD, "contract"), "contract")),
    await refusalOf(keystore.createUser("al", "secret", "contract")),
  ]
  for (const { message, avalanchegoMessage, data, stack } of refusals) {
    expect(JSON.stringify([message, avalanchegoMessage, data, stack])).not.toMatch(/s3cr3t|"secret"/)
  }
})

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

test("users are on the disk when the call ends, and a revert of the chain does not touch them", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-keystore-"))
  directories.push(dir)
  const store = openLmdbStore({ dir, tablesBesideChain: keystoreTables })
  const keystore = open(store)
  const snapshot = store.snapshot()
  const pairs = `00000002${"00000001ff00000001aa"}${"00000001ee00000000"}`
  const salt = "07".repeat(16)
  const hash = toHex(await quick(GOOD, hexToBytes(salt)))
  await keystore.importUser("é".repeat(1024), GOOD, hexToBytes(`0000${hash}${salt}${pairs}`), "contract")
  store.revert(snapshot)
  await store.close()
  const again = openLmdbStore({ dir, tablesBesideChain: keystoreTables })
  expect(open(again).listUsers()).toEqual(["é".repeat(1024)])
  const exported = await open(again).exportUser("é".repeat(1024), GOOD, "contract")
  expect(toHex(exported)).toBe(`0000${hash}${salt}00000002${"00000001ee00000000"}${"00000001ff00000001aa"}`)
  await again.close()
})
