import { expect, test } from "vitest"
import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { DEFAULT_MNEMONIC, keyAt, masterKeyOf, seedOf } from "./mnemonic.js"

// The vectors of BIP-39 and BIP-32 themselves.
test("a phrase makes the seed that BIP-39 says", () => {
  const phrase = `${"abandon ".repeat(11)}about`
  expect(toHex(seedOf(phrase, "TREZOR"))).toBe(
    "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
  )
})

test("keys are derived as BIP-32 says, hardened and not", () => {
  const master = masterKeyOf(hexToBytes("000102030405060708090a0b0c0d0e0f"))
  const secretAt = (path: string) => toHex(keyAt(master, path).secret)
  expect(secretAt("m")).toBe("e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35")
  expect(secretAt("m/0'")).toBe("edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea")
  expect(secretAt("m/0'/1")).toBe("3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368")
  expect(secretAt("m/0'/1/2'/2/1000000000")).toBe("471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8")
})

test("the default phrase is the one that other development chains use", () => {
  const { secret } = keyAt(masterKeyOf(seedOf(DEFAULT_MNEMONIC)), "m/44'/60'/0'/0/0")
  expect(toHex(secret)).toBe("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
})
