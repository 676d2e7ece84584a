import { ewoq, vmRQ } from "../../core/genesis/testKeys.js"
import { toHex } from "../../core/lib/bytes.js"
import { hrpOf } from "../../core/networks/names.js"
import { BalanceSum } from "../../core/readmodel/balances.js"
import { utxoPages } from "../../core/readmodel/utxos.js"
import type { IndexedView } from "../../core/state/view.js"
import { type Address, addressText } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import { privateKeyText } from "../../core/types/privateKey.js"
import { evmAddressOf } from "../../evm/address.js"
import type { Node } from "../../node/node.js"
import { secp256k1 } from "../../platform/backends.js"
import { ACCOUNTS_PATH, type AccountOptions } from "../../producer/keys/accounts.js"
import { keyOfTest, type SigningKey } from "../../producer/keys/key.js"
import type { PrivateNodeChain } from "./privateNodeChain.js"

/** A publicly known key with funds. */
export interface Account {
  /** `PrivateKey-` and cb58, as Avalanche's wallets write it. */
  readonly privateKey: string
  /** The same key as `0x` and hex, as EVM wallets write it. */
  readonly privateKeyHex: `0x${string}`
  /** The address on the P-Chain. */
  readonly address: string
  /** The address on EVM chains, with the checksum of EIP-55. */
  readonly evmAddress: `0x${string}`
  /** Path of the key below its mnemonic phrase; absent for the local network's own two keys, which have no phrase. */
  readonly path?: string
  /** The nAVAX that it owns, locked or not. */
  readonly balance: bigint
}

/** Default number of accounts of a new chain with the built-in genesis. */
const DEFAULT_ACCOUNTS = 10

/** Returns the requested accounts, or those of a new chain; `isBuiltIn` is true if that begins with the built-in genesis. */
export function accountOptionsOf(
  { count, ...asked }: Omit<AccountOptions, "count"> & { readonly count: number | undefined },
  isBuiltIn: boolean,
): AccountOptions {
  return { ...asked, count: count ?? (isBuiltIn ? DEFAULT_ACCOUNTS : 0), isDefault: count === undefined }
}

/** Returns the keys of a private chain: the two of the local network, and those of its accounts. */
export function accountsOn(
  { data, api, chain: { privateChain } }: Node<PrivateNodeChain>,
  options: AccountOptions | undefined,
): readonly Account[] {
  const { networkID, avaxAssetID } = data.rules
  const opened = api.contexts.open()
  const accountOf = (key: SigningKey, path?: string): Account => ({
    privateKey: privateKeyText(key.secret),
    privateKeyHex: `0x${toHex(key.secret)}`,
    address: addressText(key.address, hrpOf(networkID)),
    // Computed on first use, because loading the hash function takes a tenth of the start.
    get evmAddress() {
      return evmAddressOf(key.publicKey ?? secp256k1().publicKey(key.secret)) as `0x${string}`
    },
    ...(path === undefined ? {} : { path }),
    balance: ownedBy(opened.context.view, key.address, avaxAssetID),
  })
  try {
    const accounts = privateChain.accountKeys().map((key, i) => accountOf(key, `${ACCOUNTS_PATH}/${i}`))
    // A chain that was created without the default accounts does not have them.
    const isWithout = options?.isDefault && accounts.every(({ balance }) => balance === 0n)
    return [accountOf(keyOfTest(ewoq)), accountOf(keyOfTest(vmRQ)), ...(isWithout ? [] : accounts)]
  } finally {
    opened.release()
  }
}

function ownedBy(view: IndexedView, address: Address, assetID: ID): bigint {
  const sum = new BalanceSum(0n)
  for (const page of utxoPages(view, [address])) for (const utxo of page) sum.add(utxo)
  return sum.total.get(assetID) ?? 0n
}
