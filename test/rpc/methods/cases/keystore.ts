import { after, both, type Call, type Case, missing, refusal, refusalText, refused, type Table, undoneBy } from "../table.js"

/** The user that is there from the beginning. */
export const bob = { username: "bob", password: "Fuji-Test-1234" }
export const BOB =
  "0x0000d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f000102030405060708090a0b0c0d0e0f00000000f2f2aa3e"
const BOB_BARE = BOB.slice(0, -8)

const al = { username: "al", password: "Zk9#vLq2" }
const created: Call = ["keystore.createUser", al]
const deleted: Call = ["keystore.deleteUser", al]

/** A name or password that is too long in characters, and one that is only in bytes (D27). */
const TOO_LONG = "n".repeat(1_025)
const LONG_IN_BYTES = "é".repeat(600)

/** Cases of the keystore. After every case, bob is its only user. */
export function keystoreCases(): Table {
  return { ...createCases(), ...deleteCases(), ...exportCases(), ...importCases(), "keystore.listUsers": listCases }
}

const listCases = {
  takes: {},
  normal: [both(undefined, { users: ["bob"] }), undoneBy([deleted], after([created], both(undefined, { users: ["al", "bob"] })))],
}

/** A refusal that every method but listUsers has for names. */
function nameCases(params: object): Case[] {
  const empty = "empty username"
  const tooLong = "username exceeds maximum length of 1024 chars"
  return [
    refused({ ...params, username: "" }, "keystore.empty_username", {}, empty),
    refused({ ...params, username: TOO_LONG }, "keystore.username_too_long", { length: 1_025 }, tooLong),
  ]
}

const noName = missing("username", refusalText("empty username"))
const wrongPassword = (params: { username: string; password: string }) => {
  const { username } = params
  return refused(params, "keystore.wrong_password", { username }, `incorrect password: user "${username}"`)
}

function createCases(): Table {
  const password = (text: string, code: string, reference: string): Case =>
    refused({ ...al, password: text }, `keystore.${code}`, {}, reference)
  const weak = { contract: refusal("keystore.weak_password"), avalanchego: refusalText("password is too weak") }
  return {
    "keystore.createUser": {
      takes: { username: "string", password: "string" },
      normal: [undoneBy([deleted], both(al, {}))],
      "all parameters": [
        // D26: a password that satisfies the contract's recommendation is accepted.
        undoneBy([["keystore.deleteUser", { ...al, password: "Password1!" }]], {
          params: { ...al, password: "Password1!" },
          contract: { result: {} },
          avalanchego: weak.avalanchego,
        }),
        undoneBy([["keystore.deleteUser", { ...al, username: LONG_IN_BYTES }]], {
          params: { ...al, username: LONG_IN_BYTES },
          contract: { result: {} },
          avalanchego: refusalText("username exceeds maximum length of 1024 chars"),
        }),
      ],
      "omitted parameters": [noName, missing("password", refusalText("empty password"), { username: "al" })],
      errors: [
        ...nameCases(al),
        refused(bob, "keystore.user_exists", { username: "bob" }, "user already exists: bob"),
        // A taken name is reported before a weak password.
        refused({ ...bob, password: "1" }, "keystore.user_exists", { username: "bob" }, "user already exists: bob"),
        password("", "empty_password", "empty password"),
        password(TOO_LONG, "password_too_long", "password exceeds maximum length of 1024 chars"),
        ...["weak", "password", "12345678", "abcdefgh", "aaaaaaaaaaaa"].map((text) => ({
          ...weak,
          params: { ...al, password: text },
        })),
      ],
    },
  }
}

function deleteCases(): Table {
  return {
    "keystore.deleteUser": {
      takes: { username: "string", password: "string" },
      normal: [after([created], both(al, {}))],
      "all parameters": [
        after([["keystore.importUser", { ...bob, username: "al", user: BOB }]], both({ ...bob, username: "al" }, {})),
      ],
      "omitted parameters": [noName, missing("password", refusalText('incorrect password: user "bob"'), { username: "bob" })],
      errors: [
        ...nameCases(al),
        refused(al, "keystore.unknown_user", { username: "al" }, "user doesn't exist: al"),
        wrongPassword({ ...bob, password: "x" }),
      ],
    },
  }
}

function exportCases(): Table {
  const as = (encoding: string, user: string) => both({ ...bob, encoding }, { user, encoding: encoding.toLowerCase() })
  return {
    "keystore.exportUser": {
      takes: { username: "string", password: "string", encoding: "encoding" },
      normal: [both(bob, { user: BOB, encoding: "hex" })],
      "all parameters": [as("hex", BOB), as("HexC", BOB), as("hexnc", BOB_BARE)],
      "omitted parameters": [noName, missing("password", refusalText('incorrect password: user "bob"'), { username: "bob" })],
      errors: [
        ...nameCases(al),
        wrongPassword(al),
        wrongPassword({ ...bob, password: "x" }),
        refused(
          { ...bob, encoding: "json" },
          "keystore.no_json_form",
          {},
          "couldn't encode user to string: unsupported encoding in method",
        ),
        wrongPasswordFirst,
      ],
    },
  }
}

/** The password is checked before the encoding. */
const wrongPasswordFirst: Case = {
  ...wrongPassword({ ...bob, password: "x" }),
  params: { ...bob, password: "x", encoding: "json" },
}

function importCases(): Table {
  const gone: Call = ["keystore.deleteUser", { ...bob, username: "al" }]
  const copy = { ...bob, username: "al", user: BOB }
  const undecoded = (user: string, reason: string, reference: string, encoding = "hex") =>
    refused({ ...copy, user, encoding }, "keystore.undecodable_user", { reason }, `couldn't decode 'user' to bytes: ${reference}`)
  const unread = (user: string, data: { reason: string; path?: string; offset: number }, reference: string) =>
    refused({ ...copy, user, encoding: "hexnc" }, "keystore.bad_export", data, reference)
  const ends = "the bytes end before the value does"
  return {
    "keystore.importUser": {
      takes: { username: "string", password: "string", user: "string", encoding: "encoding" },
      normal: [undoneBy([gone], both(copy, {}))],
      "all parameters": [undoneBy([gone], both({ ...copy, user: BOB_BARE, encoding: "hexnc" }, {}))],
      "omitted parameters": [
        noName,
        missing("user", refusalText("couldn't unpack codec version"), { ...bob, username: "al" }),
        missing("password", refusalText('incorrect password: user "al"'), { username: "al", user: BOB }),
      ],
      errors: [
        undecoded("zz", "the hex does not start with 0x", "missing 0x prefix to hex encoding"),
        undecoded("0X00", "the hex does not start with 0x", "missing 0x prefix to hex encoding"),
        undecoded("0x0", "the hex has an odd number of digits", "encoding/hex: odd length hex string"),
        undecoded("0xzz", "a character is not a hex digit", "encoding/hex: invalid byte: U+007A 'z'"),
        undecoded("0x00", "the text is too short to hold its checksum", "input string is smaller than the checksum size"),
        undecoded(`${BOB.slice(0, -1)}f`, "the checksum does not match", "invalid input checksum"),
        undecoded(BOB, "this value has no JSON form here", "unsupported encoding in method", "json"),
        ...nameCases(copy),
        refused({ ...copy, username: "bob" }, "keystore.user_exists", { username: "bob" }, "user already exists: bob"),
        unread("0x00", { reason: "the bytes end before the codec version does", offset: 0 }, "couldn't unpack codec version"),
        unread(`0x0001${BOB_BARE.slice(6)}`, { reason: "the codec version is not 0", offset: 0 }, "unknown codec version"),
        unread(BOB_BARE.slice(0, 60), { reason: ends, path: "hash", offset: 2 }, "packer has insufficient length for input"),
        unread(
          BOB_BARE.slice(0, -2),
          { reason: ends, path: "pairs", offset: 50 },
          "couldn't unmarshal slice: packer has insufficient length for input",
        ),
        unread(
          `${BOB_BARE}00`,
          { reason: "bytes follow the end of the value", offset: 54 },
          "trailing buffer space: read 54 provided 55",
        ),
        unread(
          `${BOB_BARE.slice(0, -8)}ffffffff`,
          { reason: "the list has a count of more items than the remaining bytes can hold", path: "pairs", offset: 50 },
          "max slice length exceeded; array length, 4294967295, exceeds maximum length, 2147483647",
        ),
        { ...wrongPassword({ username: "al", password: "x" }), params: { ...copy, password: "x" } },
      ],
    },
  }
}
