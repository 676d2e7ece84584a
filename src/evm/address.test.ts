import { expect, test } from "vitest"
import { hexToBytes } from "../core/lib/bytes.js"
import { secp256k1 } from "../platform/backends.js"
import { evmAddressOf } from "./address.js"

// Publicly known keys, with the addresses that AvalancheGo's C-Chain and Anvil give for them.
test.each([
  ["56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027", "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"],
  ["ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"],
  ["59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
])("the key %s has the EVM address %s", (secret, address) => {
  expect(evmAddressOf(secp256k1().publicKey(hexToBytes(secret)))).toBe(address)
})

test("33 bytes are a point where the curve has it, with a prefix of 2 or 3", () => {
  // x = 1 is on the curve (1 + 7 = 8 has a square root), x = 5 is not.
  const key = (prefix: string, x: string) => hexToBytes(prefix + x.padStart(64, "0"))
  expect(
    [key("02", "1"), key("03", "1"), key("04", "1"), key("02", "5")].map((each) => evmAddressOf(each) !== undefined),
  ).toEqual([true, true, false, false])
  // The same x with the prime added is not in canonical form.
  const beyond = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30"
  expect([key("02", beyond), hexToBytes("02"), key("", "1")].map((each) => evmAddressOf(each) !== undefined)).toEqual([
    false,
    false,
    false,
  ])
})
