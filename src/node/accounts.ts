import { ewoq, vmRQ } from "../genesis/testKeys.js"
import { hrpOf } from "../networks/names.js"
import { type AccountOptions, accountsOf } from "../producer/keys/accounts.js"
import { balancesOf } from "../readmodel/balances.js"
import { utxosOf } from "../readmodel/utxos.js"
import type { View } from "../state/view.js"
import { type Address, addressText } from "../types/address.js"
import type { ID } from "../types/id.js"
import { privateKeyText } from "../types/privateKey.js"
import type { Node } from "./node.js"

/** A key that everybody has. */
export interface Account {
  readonly privateKey: string
  readonly address: string
  /** nAVAX that it owns, locked or not. */
  readonly balance: bigint
}

/** The keys of a private chain: the local network's two, and those that were asked for. */
export function accountsOn({ data, api }: Node, options: AccountOptions | undefined): readonly Account[] {
  const { networkID, avaxAssetID } = data.rules
  const more = options ? accountsOf(options).map(({ secret, address }) => ({ privateKey: privateKeyText(secret), address })) : []
  const opened = api.contexts.open()
  try {
    return [ewoq, vmRQ, ...more].map(({ privateKey, address }) => ({
      privateKey,
      address: addressText(address, hrpOf(networkID)),
      balance: ownedBy(opened.context.view, address, avaxAssetID),
    }))
  } finally {
    opened.release()
  }
}

function ownedBy(view: View, address: Address, assetID: ID): bigint {
  return balancesOf(utxosOf(view, [address]), 0n).total.get(assetID) ?? 0n
}
