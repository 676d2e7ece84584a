import { getAssetDescription } from "./getAssetDescription.js"
import { getTxFee } from "./getTxFee.js"

/** X-Chain methods that wallets call before they build a P-Chain transaction. */
export const avmMethods = [getAssetDescription, getTxFee] as const
