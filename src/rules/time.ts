/**
 * A time or duration as the reference computes with it: 64 bits, signed. Absurd values wrap around to the past,
 * and are then refused for it.
 */
export function signed(seconds: bigint): bigint {
  return BigInt.asIntN(64, seconds)
}
