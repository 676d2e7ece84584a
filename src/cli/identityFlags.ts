import type { IdentityFlags } from "../node/identityKeys.js"
import { type Given, optional, withDefault } from "./flags.js"
import { onOff, path, text } from "./flagTypes.js"

/** The flags that say who a node is. Names as in AvalancheGo; without any it is the first local validator. */
export const identityFlags = {
  "staking-tls-cert-file": optional(path("FILE"), "Staking certificate (PEM)"),
  "staking-tls-key-file": optional(path("FILE"), "Its key (PEM)"),
  "staking-tls-cert-file-content": optional(text, "The certificate as base64; wins over the file"),
  "staking-tls-key-file-content": optional(text, "The key as base64; wins over the file"),
  "staking-ephemeral-cert-enabled": withDefault(onOff, "A fresh certificate that is not kept", false),
  "staking-signer-key-file": optional(path("FILE"), "BLS key: 32 raw bytes"),
  "staking-signer-key-file-content": optional(text, "The BLS key as base64; wins over the file"),
  "staking-ephemeral-signer-enabled": withDefault(onOff, "A fresh BLS key that is not kept", false),
}

/** Those among the values of a command's flags that say who the node is. */
export function identityOf(values: Given<typeof identityFlags>["flags"]): IdentityFlags {
  const names = Object.keys(identityFlags) as (keyof typeof identityFlags)[]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
