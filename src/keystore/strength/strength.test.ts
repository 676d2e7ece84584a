import { expect, test } from "vitest"
import { readRecording } from "../../../test/recordings/recordings.js"
import { isRecommended, Strength } from "./strength.js"

const strength = new Strength()

test.each(["weak", "password", "12345678", "abcdefgh", "aaaaaaaaaaaa", "my-secret-pass"])("%j is not fair", async (password) => {
  expect(await strength.isFair(password)).toBe(false)
})

test.each(["lemon-candle", "Fuji-Test-1234", "密码", "k7#pQ"])("%j is fair", async (password) => {
  expect(await strength.isFair(password)).toBe(true)
})

test.each([
  ["Password1!", true],
  ["Str0ng!Pass", true],
  ["Pass1!", false],
  ["password1!", false],
  ["PASSWORD1!", false],
  ["Password!!", false],
  ["Password11", false],
  ["Pässwört1€", true],
  ["", false],
])("the contract's recommendation for %j: %s", (password, expected) => {
  expect(isRecommended(password)).toBe(expected)
})

interface RecordedFile {
  readonly sequences: readonly {
    readonly name: string
    readonly exchanges: readonly { readonly request: { readonly body: string }; readonly body: string }[]
  }[]
}

test("a v1.12.1 node accepts and refuses the same passwords", async () => {
  const { sequences } = readRecording<RecordedFile>("golden/keystore-v1.12.1.json")
  const exchanges = sequences.find(({ name }) => name === "password strength")?.exchanges ?? []
  expect(exchanges.length).toBe(136)
  for (const { request, body } of exchanges) {
    const { password } = JSON.parse(request.body).params
    expect([password, await strength.isFair(password)]).toEqual([password, "result" in JSON.parse(body)])
  }
})
