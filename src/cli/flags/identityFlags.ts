import type { IdentityFlags } from "../../node/identity/identity.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { onOff, path, text } from "./flagTypes.js"
import { excludes, type FlagRule } from "./withoutEffect.js"

/** The flags that set the identity of a node. The names are AvalancheGo's; without any a private chain is the first local validator. */
export const identityFlags = {
  "staking-tls-cert-file": optionalFlag(path("FILE"), "Staking certificate (PEM)"),
  "staking-tls-key-file": optionalFlag(path("FILE"), "Key of the staking certificate (PEM)"),
  "staking-tls-cert-file-content": optionalFlag(text, "The certificate as base64; has priority over the file"),
  "staking-tls-key-file-content": optionalFlag(text, "The key as base64; has priority over the file"),
  "staking-ephemeral-cert-enabled": flagWithDefault(onOff, "Makes a new certificate that is not stored", false),
  "staking-signer-key-file": optionalFlag(path("FILE"), "BLS key: 32 raw bytes"),
  "staking-signer-key-file-content": optionalFlag(text, "The BLS key as base64; has priority over the file"),
  "staking-ephemeral-signer-enabled": flagWithDefault(onOff, "Makes a new BLS key that is not stored", false),
}

/** What these flags exclude. The flags for the signer key exclude each other in any case (`node.several_signers`). */
export const identityRules: readonly FlagRule[] = [
  excludes(
    "staking-ephemeral-cert-enabled",
    ["staking-tls-cert-file", "staking-tls-key-file", "staking-tls-cert-file-content", "staking-tls-key-file-content"],
    "the certificate is new: leave out --staking-ephemeral-cert-enabled",
  ),
  ...["staking-tls-cert-file", "staking-tls-key-file"].map((name) =>
    excludes(`${name}-content`, [name], `--${name}-content is given, too, and has priority`),
  ),
]

/** Returns the values of the flags about the node's identity. */
export function identityOf(values: CommandInput<typeof identityFlags>["flags"]): IdentityFlags {
  const names = Object.keys(identityFlags) as (keyof typeof identityFlags)[]
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
