import { getAssetDescription } from "./getAssetDescription.js"
import { getTxFee } from "./getTxFee.js"

/** What wallets ask the X-Chain for before they build a P-Chain transaction. */
export const avmMethods = [getAssetDescription, getTxFee] as const
